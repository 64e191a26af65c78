# SPDX-License-Identifier: Apache-2.0
# What every target of the project shares: language level, warnings, visibility, sanitizers.

find_package(Threads REQUIRED)

add_library(ferry_headers INTERFACE)
target_include_directories(ferry_headers INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)

# ferry_target(NAME): applies the house rules to a target that exists already.
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
  # nvcc has its own warnings, and what it generates would not pass the others.
  set(by_hand $<COMPILE_LANGUAGE:C,CXX>)
  target_compile_options(${name} PRIVATE
    $<${by_hand}:-Wall> $<${by_hand}:-Wextra> $<${by_hand}:-Wpedantic> $<${by_hand}:-Wshadow>
    $<${by_hand}:-Wconversion>)
  if(CMAKE_UNITY_BUILD)
    # Files that are compiled as one see each other's private names; the preset dev minds each by itself.
    target_compile_options(${name} PRIVATE $<${by_hand}:-Wno-shadow>)
  endif()
  if(FERRY_WERROR)
    target_compile_options(${name} PRIVATE
      $<${by_hand}:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
  endif()
  target_link_libraries(${name} PRIVATE Threads::Threads)
  if(FERRY_SANITIZE)
    # Enums come from C callers and may hold any number; judging them is what the checks are for.
    target_compile_options(${name} PRIVATE -fsanitize=${FERRY_SANITIZE} -fno-sanitize=enum
      -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${name} PRIVATE -fsanitize=${FERRY_SANITIZE})
  endif()
endfunction()

# ferry_build_fast(NAME): for programs and tests in builds that are made to be tested. What is tested is the
# library; optimising what stands around it, and looking there for undefined behaviour, takes most of the time
# of a build. AddressSanitizer and ThreadSanitizer have to see both sides.
function(ferry_build_fast name)
  if(FERRY_TESTS)
    target_compile_options(${name} PRIVATE -O0)
    if(FERRY_SANITIZE MATCHES "undefined")
      target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
    endif()
  endif()
endfunction()
