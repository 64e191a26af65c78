# SPDX-License-Identifier: Apache-2.0
# GTest::gtest and GTest::gtest_main: the installed libraries; or built from sources, if
# FERRY_GOOGLETEST names their folder or the build is for another processor.
set(FERRY_GOOGLETEST "" CACHE PATH
  "Folder of GoogleTest's sources (the one with src/gtest-all.cc); empty: the installed library")
if(NOT FERRY_GOOGLETEST AND NOT CMAKE_CROSSCOMPILING)
  find_package(GTest REQUIRED)
  return()
endif()

if(FERRY_GOOGLETEST)
  set(sources ${FERRY_GOOGLETEST})
else()
  set(sources /usr/src/googletest/googletest)  # where Debian's package puts them
endif()
if(NOT EXISTS ${sources}/src/gtest-all.cc)
  message(FATAL_ERROR "${sources} has no src/gtest-all.cc: set FERRY_GOOGLETEST to the folder "
    "googletest of GoogleTest's sources (Debian: package googletest)")
endif()
foreach(name gtest gtest_main)
  add_library(${name} STATIC EXCLUDE_FROM_ALL)
  target_compile_features(${name} PRIVATE cxx_std_14)
  add_library(GTest::${name} ALIAS ${name})
endforeach()
target_sources(gtest PRIVATE ${sources}/src/gtest-all.cc)
target_include_directories(gtest PRIVATE ${sources})
target_include_directories(gtest SYSTEM PUBLIC ${sources}/include)
target_link_libraries(gtest PUBLIC Threads::Threads)
target_sources(gtest_main PRIVATE ${sources}/src/gtest_main.cc)
target_link_libraries(gtest_main PUBLIC gtest)
