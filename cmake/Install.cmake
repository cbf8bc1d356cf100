# `cmake --install` and find_package(slipset): slipset::slipset, or one part, slipset::laws. Installed are the public
# headers (not those in internal/ and of the programs), the parts of the library, the programs, docs and examples.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(installed)
set(uses)
foreach(part IN LISTS SLIPSET_LIBRARY)
  if(TARGET slipset_${part})
    list(APPEND installed ${part})
    install(TARGETS slipset_${part} EXPORT slipsetTargets)
    string(APPEND uses "set(slipset_uses_${part} ${SLIPSET_USES_${part}})\n"
                       "set(slipset_needs_${part} ${SLIPSET_NEEDS_${part}})\n")
  endif()
endforeach()
install(EXPORT slipsetTargets NAMESPACE slipset:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/slipset)
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/slipset)
install(FILES ${PROJECT_SOURCE_DIR}/slipset/slipset.hpp DESTINATION ${headers})
foreach(folder core sets laws contact systems systems/bodies motion motion/integrators stability stability/spectrum identification io testing)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/slipset/${folder}/*.hpp)
  install(FILES ${files} DESTINATION ${headers}/${folder})
endforeach()
if(SLIPSET_BUILD_APP)
  get_property(programs GLOBAL PROPERTY SLIPSET_PROGRAMS)
  install(TARGETS ${programs})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/slipset/examples
        PATTERN CMakeLists.txt EXCLUDE)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/slipsetConfig.cmake.in slipsetConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/slipset)
write_basic_package_version_file(slipsetConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/slipsetConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/slipsetConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/slipset)
