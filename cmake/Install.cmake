# What `cmake --install` puts where: the program, the C++ library with its headers, and how others find it (CMake package, pkg-config). What takes
# libvmaf's place is the component `compat` (src/capi/CMakeLists.txt).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS isometric LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/isometric DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS isometric_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# A static library needs its own libraries at the user's link; a shared one brings them.
if(BUILD_SHARED_LIBS)
  set(ISO_LIBRARY_TYPE SHARED)
  set(ISO_PC_REQUIRES "")
  set(ISO_PC_LIBS_PRIVATE "")
else()
  set(ISO_LIBRARY_TYPE STATIC)
  set(ISO_PC_REQUIRES "fmt libhwy")
  set(ISO_PC_LIBS_PRIVATE "-pthread")
endif()
set(ISO_LIBRARY_FILE $<TARGET_FILE_NAME:isometric>)

configure_file(${PROJECT_SOURCE_DIR}/cmake/isometric.pc.in ${PROJECT_BINARY_DIR}/isometric.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/isometric.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/isometric)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/isometricConfig.cmake.in ${PROJECT_BINARY_DIR}/isometricConfig.in.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/isometricConfig.cmake INPUT ${PROJECT_BINARY_DIR}/isometricConfig.in.cmake)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/isometricConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/isometricConfig.cmake ${PROJECT_BINARY_DIR}/isometricConfigVersion.cmake DESTINATION ${package_dir})
