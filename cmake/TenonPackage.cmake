# What `cmake --install` lays down: the tools and what they read, the static
# libraries without MLIR (tenon_add_plain_library), their headers, and the CMake
# package.

include(CMakePackageConfigHelpers)
set(TENON_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Tenon)

foreach(room Artifact Runtime)
  if(EXISTS ${PROJECT_SOURCE_DIR}/include/tenon/${room})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tenon/${room}
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tenon
            FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
  endif()
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/include/tenon/Artifact/Primitives.h.inc
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tenon/Artifact)
# What the tools read: rules with their certificates, profiles of CPUs.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/rules ${PROJECT_SOURCE_DIR}/profiles
        DESTINATION ${CMAKE_INSTALL_DATADIR}/tenon)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tenon)

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/TenonConfig.cmake.in
  ${PROJECT_BINARY_DIR}/TenonConfig.cmake
  INSTALL_DESTINATION ${TENON_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TenonConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TenonConfig.cmake
              ${PROJECT_BINARY_DIR}/TenonConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/TenonModel.cmake
        DESTINATION ${TENON_PACKAGE_DIR})
get_property(tools GLOBAL PROPERTY TENON_TOOLS)
if(tools OR TARGET TenonRuntime)
  install(EXPORT TenonTargets NAMESPACE Tenon::
          DESTINATION ${TENON_PACKAGE_DIR})
endif()
