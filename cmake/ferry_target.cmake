# SPDX-License-Identifier: Apache-2.0
# Settings shared by all targets: language level, warnings, visibility, sanitizers, coverage.

find_package(Threads REQUIRED)

add_library(ferry_headers INTERFACE)
target_include_directories(ferry_headers INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)

# For scripts/coverage.py. The counters are written while the program runs (relocation), so that a process that crashes
# on purpose, forks or ends with _exit is counted too. They are atomic: clang computes some counts as differences, which
# lost updates would spoil.
if(FERRY_COVERAGE)
  set(FERRY_COVERAGE_COMPILE -fprofile-instr-generate -fcoverage-mapping -fprofile-update=atomic
    "SHELL:-mllvm -runtime-counter-relocation")
  set(FERRY_COVERAGE_LINK -fprofile-instr-generate)
endif()

# ferry_target(NAME): applies these settings to an existing target.
function(ferry_target name)
  target_compile_features(${name} PRIVATE cxx_std_20)
  set_target_properties(${name} PROPERTIES
    CXX_EXTENSIONS OFF
    CUDA_STANDARD 20
    CUDA_EXTENSIONS OFF
    CUDA_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    C_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON)
  # nvcc has its own warnings, and the code it generates would not pass the others.
  set(by_hand $<COMPILE_LANGUAGE:C,CXX>)
  target_compile_options(${name} PRIVATE
    $<${by_hand}:-Wall> $<${by_hand}:-Wextra> $<${by_hand}:-Wpedantic> $<${by_hand}:-Wshadow>
    $<${by_hand}:-Wconversion>)
  if(CMAKE_UNITY_BUILD)
    # Files that are compiled as one unit see each other's private names; scripts/check_warnings checks each alone.
    target_compile_options(${name} PRIVATE $<${by_hand}:-Wno-shadow>)
  endif()
  if(FERRY_WERROR)
    target_compile_options(${name} PRIVATE
      $<${by_hand}:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
  endif()
  target_link_libraries(${name} PRIVATE Threads::Threads)
  if(FERRY_SANITIZE)
    # Enums come from C callers and may hold any number; the argument checks validate them.
    target_compile_options(${name} PRIVATE -fsanitize=${FERRY_SANITIZE} -fno-sanitize=enum
      -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${name} PRIVATE -fsanitize=${FERRY_SANITIZE})
  endif()
endfunction()

# ferry_build_fast(NAME): for programs and tests in test builds. The library is what is tested; optimising the
# code around it, and checking that code for undefined behaviour, takes most of the build time. AddressSanitizer
# and ThreadSanitizer have to see both sides.
function(ferry_build_fast name)
  if(FERRY_TESTS)
    target_compile_options(${name} PRIVATE -O0)
    if(FERRY_SANITIZE MATCHES "undefined")
      target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
    endif()
  endif()
endfunction()
