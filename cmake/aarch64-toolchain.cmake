# Cross build for 64-bit Arm on a Debian machine; tests run under QEMU:
#   scripts/setup-aarch64 && cmake --preset aarch64 && cmake --build --preset aarch64 && ctest --preset aarch64
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# Compiled libraries are Arm's, header-only ones (CLI11, JSON) the machine's own.
get_filename_component(ISO_AARCH64_LIBRARIES ${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-libraries ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${ISO_AARCH64_LIBRARIES})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
set(ENV{PKG_CONFIG_LIBDIR} ${ISO_AARCH64_LIBRARIES}/usr/lib/aarch64-linux-gnu/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${ISO_AARCH64_LIBRARIES})

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
