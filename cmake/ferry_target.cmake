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
    CXX_VISIBILITY_PRESET hidden
    C_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
  if(FERRY_WERROR)
    target_compile_options(${name} PRIVATE -Werror)
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
# library; optimising what stands around it takes most of the time of a build.
function(ferry_build_fast name)
  if(FERRY_TESTS)
    target_compile_options(${name} PRIVATE -O0)
  endif()
endfunction()
