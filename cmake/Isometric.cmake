# Functions that every CMakeLists.txt of the project uses.

# Flags under all of our code: exact floats, warnings, no exported symbols by default.
add_library(isometric_flags INTERFACE)
target_compile_features(isometric_flags INTERFACE cxx_std_20)
target_compile_options(isometric_flags INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers -ffp-contract=off -fno-math-errno -fvisibility=hidden)
target_include_directories(isometric_flags INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(isometric_flags INTERFACE fmt::fmt Threads::Threads)
if(ISO_WERROR)
  target_compile_options(isometric_flags INTERFACE -Werror)
endif()

# Highway: every instruction set of the architecture in one binary, the emulated one included.
add_library(isometric_simd INTERFACE)
option(ISO_PORTABLE_ONLY "Compile the passes for portable code alone: quick builds for sanitizers" OFF)
set(unused_targets HWY_SSSE3|HWY_SSE4|HWY_SVE|HWY_SVE_256|HWY_SVE2_128)
if(ISO_PORTABLE_ONLY)
  string(APPEND unused_targets "|HWY_AVX2|HWY_AVX3|HWY_AVX3_DL|HWY_SVE2")
endif()
target_compile_definitions(isometric_simd INTERFACE HWY_COMPILE_ALL_ATTAINABLE HWY_WANT_AVX3_DL HWY_BROKEN_EMU128=0
  "HWY_DISABLED_TARGETS=(${unused_targets})")
target_link_libraries(isometric_simd INTERFACE PkgConfig::hwy)

# iso_module(NAME SOURCES file... [DEPENDS target...] [SIMD]): one folder of src/ as static library iso_NAME; its objects also go into the
# `isometric` library.
function(iso_module name)
  cmake_parse_arguments(arg "SIMD" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(iso_${name} STATIC ${arg_SOURCES})
  set_target_properties(iso_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(iso_${name} PUBLIC isometric_flags ${arg_DEPENDS})
  if(arg_SIMD)
    target_link_libraries(iso_${name} PRIVATE isometric_simd)
  endif()
  set_property(GLOBAL APPEND PROPERTY ISO_MODULES iso_${name})
endfunction()

# iso_metric(NAME SOURCES file... [DEPENDS target...]): a folder of src/metrics/.
function(iso_metric name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  iso_module(${name} SOURCES ${arg_SOURCES} DEPENDS iso_metric_base ${arg_DEPENDS} SIMD)
endfunction()

# iso_test(NAME SOURCES file... [DEPENDS target...] [LABELS label...] [ARGS arg...]): a GoogleTest program and its CTest entries.
function(iso_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  if(NOT ISO_TESTS)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE isometric_flags ${arg_DEPENDS} GTest::gtest GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE ISO_TEST_DATA="${PROJECT_SOURCE_DIR}/tests")
  add_test(NAME ${name} COMMAND ${name})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
    if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
      set(arg_TIMEOUT 3000)
    endif()
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()

# iso_bench(NAME SOURCES file... [DEPENDS target...]): a Google Benchmark program.
function(iso_bench name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  if(NOT ISO_BENCH)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE isometric_flags ${arg_DEPENDS} benchmark::benchmark)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
endfunction()
