# Compiling kernels. A kernel header becomes a function for the emulated device, and an image for each family of GPUs, made by clang alone:
# no vendor's compiler, header or library takes part (docs/kernels.md).

# What the build can make. ISO_PTX_TARGETS: architecture:oldest PTX version that knows it. The first runs on everything newer.
set(ISO_PTX_TARGETS sm_75:63 sm_90:78 CACHE STRING "PTX images")
set(ISO_AMDGPU_TARGETS gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1101 gfx1102 gfx1200 CACHE STRING "AMD images")
option(ISO_CHECKED_DEVICE "Compile kernels a second time with checked pointers, for the emulated device 'checked'" ${ISO_TESTS})
find_program(ISO_NVCC nvcc HINTS ENV CUDA_PATH PATH_SUFFIXES bin NO_CACHE)
option(ISO_NVCC_PTX "Let nvcc compile the PTX images, to compare with clang's" OFF)

# SYCL where the C++ compiler itself knows it.
set(ISO_SYCL AUTO CACHE STRING "The SYCL backend: AUTO (when the compiler knows SYCL), ON or OFF")
set(ISO_HAVE_SYCL FALSE)
set(ISO_SYCL_FLAGS -fno-fast-math)  # the default of some SYCL compilers is fast math, which does not keep the order of float additions
if(NOT ISO_SYCL STREQUAL OFF)
  include(CheckCXXSourceCompiles)
  set(probe "#include <sycl/sycl.hpp>\nint main() { sycl::queue q; q.single_task([] {}); }")
  set(CMAKE_REQUIRED_FLAGS -fsycl)
  check_cxx_source_compiles("${probe}" ISO_SYCL_BY_FLAG)
  unset(CMAKE_REQUIRED_FLAGS)
  check_cxx_source_compiles("${probe}" ISO_SYCL_BY_HEADER)
  if(ISO_SYCL_BY_FLAG OR ISO_SYCL_BY_HEADER)
    set(ISO_HAVE_SYCL TRUE)
  elseif(ISO_SYCL STREQUAL ON)
    message(FATAL_ERROR "ISO_SYCL=ON: the C++ compiler knows no SYCL 2020")
  endif()
  if(ISO_SYCL_BY_FLAG)
    list(APPEND ISO_SYCL_FLAGS -fsycl)
  endif()
endif()

set(ISO_GPU_FLAGS -std=c++17 -O3 -ffp-contract=off -Wall -Wextra -Wno-unknown-cuda-version -Wno-unused-command-line-argument)
set(ISO_PTX_FLAGS -x cuda -nocudainc -nocudalib --cuda-device-only -S)
set(ISO_AMDGPU_FLAGS -x hip -nogpuinc -nogpulib --offload-device-only --no-gpu-bundle-output)

# Tries a clang on a kernel of one line.
function(iso_try_device_clang clang kind result)
  set(probe ${CMAKE_BINARY_DIR}/device_probe.cpp)
  file(WRITE ${probe} "extern \"C\" __attribute__((global)) void probe(float* p) { *p = __builtin_fmaf(*p, *p, *p); }\n")
  if(kind STREQUAL ptx)
    set(flags ${ISO_PTX_FLAGS} --cuda-gpu-arch=sm_75 --cuda-feature=+ptx63)
  else()
    set(flags ${ISO_AMDGPU_FLAGS} --offload-arch=gfx1100)
  endif()
  execute_process(COMMAND ${clang} ${flags} ${ISO_GPU_FLAGS} ${probe} -o ${probe}.out RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  execute_process(COMMAND ${clang} -dumpversion OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  # Older clangs leave the correction steps out of AMD's square roots.
  if(status EQUAL 0 AND (kind STREQUAL ptx OR version VERSION_GREATER_EQUAL 19))
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Looked for once, and again when ISO_DEVICE_CODE or ISO_DEVICE_CLANG is set to something else.
set(ISO_DEVICE_CLANG "" CACHE FILEPATH "clang++ that compiles kernels for GPUs; empty: the newest that can")
if(NOT "${ISO_DEVICE_CODE} ${ISO_DEVICE_CLANG}" STREQUAL "${ISO_DEVICE_PROBED}")
  set(have_ptx OFF)
  set(have_amdgpu OFF)
  if(NOT ISO_DEVICE_CODE STREQUAL OFF)
    set(candidates clang++-22 clang++-21 clang++-20 clang++-19 clang++ clang++-18 clang++-17 clang++-16 clang++-15)
    if(ISO_DEVICE_CLANG)
      set(candidates ${ISO_DEVICE_CLANG})
    endif()
    foreach(name ${candidates})
      find_program(candidate ${name} NO_CACHE)
      if(candidate AND NOT have_amdgpu)
        iso_try_device_clang(${candidate} ptx ptx)
        iso_try_device_clang(${candidate} amdgpu amdgpu)
        if(ptx AND (amdgpu OR NOT have_ptx))
          set(ISO_DEVICE_CLANG ${candidate} CACHE FILEPATH "" FORCE)
          set(have_ptx ON)
          set(have_amdgpu ${amdgpu})
        endif()
      endif()
      unset(candidate)
    endforeach()
  endif()
  set(ISO_HAVE_PTX ${have_ptx} CACHE INTERNAL "")
  set(ISO_HAVE_AMDGPU ${have_amdgpu} CACHE INTERNAL "")
  set(ISO_DEVICE_PROBED "${ISO_DEVICE_CODE} ${ISO_DEVICE_CLANG}" CACHE INTERNAL "")
endif()
if(ISO_DEVICE_CODE STREQUAL ON AND NOT (ISO_HAVE_PTX AND ISO_HAVE_AMDGPU))
  message(FATAL_ERROR "ISO_DEVICE_CODE=ON: no clang here compiles for NVIDIA and AMD devices; clang 19 with lld does (Debian: clang-19 lld-19)")
endif()
message(STATUS "Kernels for GPUs: ${ISO_DEVICE_CLANG} (PTX ${ISO_HAVE_PTX}, AMD ${ISO_HAVE_AMDGPU})")

# iso_kernels(SET HEADER path [ROOT dir] [HOST_ONLY]): the kernels of one header (relative to src/, or to ROOT) as module iso_SET_kernels. Its
# names are read from the lines that begin with ISO_KERNEL(SET, name or ISO_CROWDED_KERNEL(SET, name. HOST_ONLY: for the emulated device alone.
function(iso_kernels set)
  cmake_parse_arguments(arg "HOST_ONLY" "HEADER;ROOT" "" ${ARGN})
  if(NOT arg_ROOT)
    set(arg_ROOT ${PROJECT_SOURCE_DIR}/src)
  endif()
  set(header ${arg_ROOT}/${arg_HEADER})
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${set}_kernels)
  file(STRINGS ${header} lines REGEX "^ISO_(CROWDED_)?KERNEL\\(${set}, [a-z0-9_]+,")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  set(declarations "")
  set(entries "")
  set(names "")
  foreach(line ${lines})
    string(REGEX REPLACE "^ISO_(CROWDED_)?KERNEL\\(${set}, ([a-z0-9_]+),.*" "\\2" name "${line}")
    list(APPEND names ${name})
    string(APPEND declarations "extern const EmulatedKernel emulated_${set}_${name};\n")
    string(APPEND entries "    {\"${set}_${name}\", &emulated_${set}_${name}, ")
    if(ISO_CHECKED_DEVICE)
      string(APPEND declarations "extern const CheckedKernel checked_${set}_${name};\n")
      string(APPEND entries "&checked_${set}_${name}, ")
    else()
      string(APPEND entries "nullptr, ")
    endif()
    if(ISO_HAVE_SYCL)
      string(APPEND declarations "extern const SyclKernel sycl_${set}_${name};\n")
      string(APPEND entries "&sycl_${set}_${name}},\n")
    else()
      string(APPEND entries "nullptr},\n")
    endif()
  endforeach()

  file(CONFIGURE OUTPUT ${dir}/emulated.cpp CONTENT "#include \"device/emulated/kernels.h\"\n#include \"${arg_HEADER}\"\n")
  set(sources ${dir}/emulated.cpp)
  if(ISO_CHECKED_DEVICE)
    file(CONFIGURE OUTPUT ${dir}/checked.cpp CONTENT "#define ISO_CHECKED\n#include \"${arg_HEADER}\"\n")
    list(APPEND sources ${dir}/checked.cpp)
  endif()
  if(ISO_HAVE_SYCL)
    file(CONFIGURE OUTPUT ${dir}/sycl.cpp CONTENT "#include \"device/sycl/kernels.h\"\n#include \"${arg_HEADER}\"\n")
    set_source_files_properties(${dir}/sycl.cpp PROPERTIES COMPILE_OPTIONS "${ISO_SYCL_FLAGS}")
    list(APPEND sources ${dir}/sycl.cpp)
  endif()

  # GPU images.
  file(CONFIGURE OUTPUT ${dir}/gpu.cpp CONTENT "#include \"${arg_HEADER}\"\n")
  set(embeds "")
  set(images "")
  set(image_files "")
  macro(add_image kind architecture path)
    string(MAKE_C_IDENTIFIER "iso_${set}_${architecture}" symbol)
    string(APPEND embeds "ISO_EMBED(${symbol}, \"${path}\")\n")
    string(APPEND images "    {ImageKind::${kind}, \"${architecture}\", ${symbol}, ${symbol}_end},\n")
    list(APPEND image_files ${path})
  endmacro()
  set(includes -I${PROJECT_SOURCE_DIR}/src -I${arg_ROOT})
  if(ISO_HAVE_PTX AND NOT arg_HOST_ONLY)
    foreach(target ${ISO_PTX_TARGETS})
      string(REPLACE ":" ";" target ${target})
      list(GET target 0 architecture)
      list(GET target 1 version)
      set(image ${dir}/${architecture}.ptx)
      if(ISO_NVCC_PTX AND ISO_NVCC)
        set(compile ${ISO_NVCC} -x cu -ptx -std=c++17 -O3 --fmad=false -arch=${architecture} -Wno-deprecated-gpu-targets)
      else()
        set(compile ${ISO_DEVICE_CLANG} ${ISO_PTX_FLAGS} --cuda-gpu-arch=${architecture} --cuda-feature=+ptx${version} ${ISO_GPU_FLAGS})
      endif()
      add_custom_command(OUTPUT ${image} DEPENDS ${dir}/gpu.cpp ${header} DEPFILE ${image}.d VERBATIM
        COMMAND ${compile} ${includes} -MD -MF ${image}.d -MT ${image} ${dir}/gpu.cpp -o ${image} COMMENT "Kernels ${set} for ${architecture}")
      add_image(ptx ${architecture} ${image})
    endforeach()
  endif()
  if(ISO_HAVE_AMDGPU AND NOT arg_HOST_ONLY)
    foreach(architecture ${ISO_AMDGPU_TARGETS})
      set(image ${dir}/${architecture}.co)
      add_custom_command(OUTPUT ${image} DEPENDS ${dir}/gpu.cpp ${header} DEPFILE ${image}.d VERBATIM
        COMMAND ${ISO_DEVICE_CLANG} ${ISO_AMDGPU_FLAGS} --offload-arch=${architecture} ${ISO_GPU_FLAGS} ${includes}
                -MD -MF ${image}.d -MT ${image} ${dir}/gpu.cpp -o ${image} COMMENT "Kernels ${set} for ${architecture}")
      add_image(amdgpu ${architecture} ${image})
    endforeach()
  endif()
  # Metal compiles source at run time: one text without includes.
  set(image ${dir}/${set}.metal)
  add_custom_command(OUTPUT ${image} DEPENDS ${header} ${PROJECT_SOURCE_DIR}/cmake/flatten.cmake VERBATIM
    COMMAND ${CMAKE_COMMAND} -DHEADER=${arg_HEADER} -DROOTS=${PROJECT_SOURCE_DIR}/src,${arg_ROOT} -DOUTPUT=${image} -DDEPFILE=${image}.d
            -DLEAVE_OUT=^device/context/[gch]
            -P ${PROJECT_SOURCE_DIR}/cmake/flatten.cmake DEPFILE ${image}.d COMMENT "Kernels ${set} for Metal")
  if(APPLE)
    add_image(metal metal3 ${image})
  endif()

  set(embedded "std::span<const KernelImage>()")
  if(images)
    set(embedded "images")
    set(images "const KernelImage images[] = {\n${images}}@SEMICOLON@\n")
  endif()
  set(SEMICOLON ";")
  file(CONFIGURE OUTPUT ${dir}/kernel_set.cpp @ONLY CONTENT "// Generated: every kernel of ${arg_HEADER}.
#include \"device/embed.h\"
#include \"device/kernel_set.h\"

${embeds}
namespace isometric {

${declarations}
namespace {
const KernelEntry entries[] = {
${entries}}@SEMICOLON@
${images}
}  // namespace

extern const KernelSet ${set}_kernel_set@SEMICOLON@
const KernelSet ${set}_kernel_set{\"${set}\", entries, ${embedded}}@SEMICOLON@

}  // namespace isometric
")
  set_source_files_properties(${dir}/kernel_set.cpp PROPERTIES OBJECT_DEPENDS "${image_files}")
  iso_module(${set}_kernels SOURCES ${sources} ${dir}/kernel_set.cpp ${dir}/${set}.metal DEPENDS iso_device)
  target_include_directories(iso_${set}_kernels PRIVATE ${arg_ROOT})
  set_property(GLOBAL APPEND PROPERTY ISO_KERNEL_SETS ${set})
  set_property(GLOBAL PROPERTY ISO_KERNEL_DIR_${set} ${dir})
  set_property(GLOBAL PROPERTY ISO_KERNEL_NAMES_${set} ${names})
  set_property(GLOBAL PROPERTY ISO_KERNEL_HEADER_${set} ${arg_HEADER})
endfunction()
