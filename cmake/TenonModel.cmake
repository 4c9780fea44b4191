# tenon_add_model(NAME FILE [OPTIONS options of tenon-compile...])
#
# Compiles FILE (.onnx or .mlir) ahead of time into NAME.so, NAME.h and
# NAME.safetensors in the current binary folder. The target NAME can be linked
# (target_link_libraries(app PRIVATE NAME)), which also gives the header; the
# program finds the library along its rpath (BUILD_RPATH, INSTALL_RPATH).
function(tenon_add_model name file)
  cmake_parse_arguments(ARG "" "" "OPTIONS" ${ARGN})
  get_filename_component(file ${file} ABSOLUTE)
  set(artifact ${CMAKE_CURRENT_BINARY_DIR}/${name}.so)
  add_custom_command(
    OUTPUT ${artifact}
    BYPRODUCTS ${CMAKE_CURRENT_BINARY_DIR}/${name}.h
    COMMAND Tenon::tenon-compile ${file} -o ${artifact} ${ARG_OPTIONS}
    DEPENDS ${file} Tenon::tenon-compile
    COMMENT "Compiling the model ${name}"
    VERBATIM)
  add_custom_target(${name}_artifact DEPENDS ${artifact})
  # By its file name: what is linked then looks for NAME.so along its rpath.
  add_library(${name} INTERFACE)
  target_include_directories(${name} INTERFACE ${CMAKE_CURRENT_BINARY_DIR})
  target_link_directories(${name} INTERFACE ${CMAKE_CURRENT_BINARY_DIR})
  target_link_libraries(${name} INTERFACE -l:${name}.so)
  set_target_properties(${name} PROPERTIES INTERFACE_LINK_DEPENDS ${artifact})
  add_dependencies(${name} ${name}_artifact)
endfunction()
