# make install: headers, both libraries, the program, a CMake package and a pkg-config file.
install(TARGETS condyle condyle_static EXPORT condyleTargets)
install(TARGETS condyle_cli)
if(CONDYLE_RENDER)
  install(TARGETS condyle_render EXPORT condyleTargets)
endif()
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# the page that condyle view serves, if it was built
install(FILES ${PROJECT_SOURCE_DIR}/build/web/viewer.html DESTINATION ${CMAKE_INSTALL_DATADIR}/condyle OPTIONAL)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/condyle)
install(EXPORT condyleTargets NAMESPACE condyle:: DESTINATION ${package_dir})
configure_package_config_file(cmake/condyleConfig.cmake.in condyleConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(condyleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/condyleConfig.cmake ${PROJECT_BINARY_DIR}/condyleConfigVersion.cmake
  DESTINATION ${package_dir})
if(CONDYLE_SINGLE)
  set(CONDYLE_PC_CFLAGS " -DmjUSESINGLE")
endif()
configure_file(cmake/condyle.pc.in condyle.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/condyle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
