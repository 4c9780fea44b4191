# tenon_add_model(NAME FILE [PREFIX P] [OBJECT] [OPTIONS options of tenon-compile...])
#
# Compiles FILE (.onnx or .mlir) ahead of time into NAME.so, NAME.h and
# NAME.safetensors in the current binary folder. The target NAME can be linked
# (target_link_libraries(app PRIVATE NAME)), which also gives the header; the
# program finds the library along its rpath (BUILD_RPATH, INSTALL_RPATH).
#
# PREFIX   the functions are P_load, P_run and so on: models that are linked into
#          one program need different prefixes
# OBJECT   NAME.o instead of NAME.so: it becomes a part of the program, together
#          with Tenon::TenonRuntime, of which all objects share one copy
function(tenon_add_model name file)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "OBJECT" "PREFIX" "OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tenon_add_model(${name}): expected PREFIX, OBJECT or "
                        "OPTIONS, but got '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  if("PREFIX" IN_LIST ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "tenon_add_model(${name}): PREFIX needs a value")
  endif()
  get_filename_component(file ${file} ABSOLUTE)
  set(artifact ${CMAKE_CURRENT_BINARY_DIR}/${name}.so)
  set(options ${ARG_OPTIONS})
  if(ARG_OBJECT)
    set(artifact ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
    list(APPEND options --emit=obj)
  endif()
  if(DEFINED ARG_PREFIX)
    list(APPEND options --symbol-prefix=${ARG_PREFIX})
  endif()
  add_custom_command(
    OUTPUT ${artifact}
    BYPRODUCTS ${CMAKE_CURRENT_BINARY_DIR}/${name}.h
    COMMAND Tenon::tenon-compile ${file} -o ${artifact} ${options}
    DEPENDS ${file} Tenon::tenon-compile
    COMMENT "Compiling the model ${name}"
    VERBATIM)
  add_custom_target(${name}_artifact DEPENDS ${artifact})
  add_library(${name} INTERFACE)
  target_include_directories(${name} INTERFACE ${CMAKE_CURRENT_BINARY_DIR})
  if(ARG_OBJECT)
    target_link_libraries(${name} INTERFACE ${artifact} Tenon::TenonRuntime)
  else()
    # The library is linked by its file name, so that the program looks for
    # NAME.so along its rpath.
    target_link_directories(${name} INTERFACE ${CMAKE_CURRENT_BINARY_DIR})
    target_link_libraries(${name} INTERFACE -l:${name}.so)
  endif()
  set_target_properties(${name} PROPERTIES INTERFACE_LINK_DEPENDS ${artifact})
  add_dependencies(${name} ${name}_artifact)
endfunction()
