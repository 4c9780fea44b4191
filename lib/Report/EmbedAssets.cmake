# cmake -DOUTPUT=F -DSTYLES=a,b -DSCRIPTS=c,d -DTIMELINE=e -P EmbedAssets.cmake
#
# Writes a C++ file that defines `styleText`, `scriptText` and `timelineText`: the
# concatenated files. Literals are split, since a compiler need not support more than 64 KiB.

set(PIECE 8000)

# Appends to `out`, in the caller's scope, the definition of `name` with the
# files of `list` (separated by commas).
function(tenon_embed name list)
  set(code "static constexpr char ${name}[] =\n")
  string(REPLACE "," ";" files "${list}")
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    # A split must not divide a character, and a file must not end the literal.
    if(text MATCHES "[^\t\n -~]" OR text MATCHES "\\)tenon\"")
      message(FATAL_ERROR "${file}: expected ASCII without )tenon\"")
    endif()
    string(LENGTH "${text}" length)
    set(start 0)
    while(start LESS length)
      string(SUBSTRING "${text}" ${start} ${PIECE} piece)
      string(APPEND code "    R\"tenon(${piece})tenon\"\n")
      math(EXPR start "${start} + ${PIECE}")
    endwhile()
  endforeach()
  set(out "${out}${code}    \"\";\n" PARENT_SCOPE)
endfunction()

set(out "// Written by EmbedAssets.cmake.\n")
tenon_embed(styleText "${STYLES}")
tenon_embed(scriptText "${SCRIPTS}")
tenon_embed(timelineText "${TIMELINE}")
file(WRITE "${OUTPUT}" "${out}")
