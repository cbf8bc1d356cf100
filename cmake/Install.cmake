# `cmake --install` and find_package(slipset): targets slipset::slipset, or one folder, slipset::laws.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY SLIPSET_MODULES)
list(TRANSFORM modules PREPEND slipset_ OUTPUT_VARIABLE targets)
install(TARGETS ${targets} slipset_all EXPORT slipsetTargets)
install(EXPORT slipsetTargets NAMESPACE slipset:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/slipset)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/slipset DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
if(SLIPSET_BUILD_APP)
  get_property(programs GLOBAL PROPERTY SLIPSET_PROGRAMS)
  install(TARGETS ${programs})
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/slipsetConfig.cmake.in slipsetConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/slipset)
write_basic_package_version_file(slipsetConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/slipsetConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/slipsetConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/slipset)
