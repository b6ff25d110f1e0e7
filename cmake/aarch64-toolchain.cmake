# Cross build for 64-bit Arm on a Debian machine:
#   dpkg --add-architecture arm64 && apt-get update
#   apt-get install crossbuild-essential-arm64 qemu-user libhwy-dev:arm64 libfmt-dev:arm64 libgtest-dev:arm64
#   cmake --preset aarch64 && cmake --build --preset aarch64 && ctest --preset aarch64
# Tests run under qemu-aarch64; QEMU_CPU=max,sve=off leaves SVE2 out.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)

set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# Header-only libraries are the host's; compiled ones are found in the folder of the target's architecture.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
