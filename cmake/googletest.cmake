# SPDX-License-Identifier: Apache-2.0
# GTest::gtest and GTest::gtest_main: the installed ones, or, where the target is another processor
# than the host, built from the sources Debian installs.
if(NOT CMAKE_CROSSCOMPILING)
  find_package(GTest REQUIRED)
  return()
endif()

find_path(FERRY_GOOGLETEST src/gtest-all.cc PATHS /usr/src/googletest/googletest REQUIRED
  NO_DEFAULT_PATH)
foreach(name gtest gtest_main)
  add_library(${name} STATIC EXCLUDE_FROM_ALL)
  target_compile_features(${name} PRIVATE cxx_std_14)
  add_library(GTest::${name} ALIAS ${name})
endforeach()
target_sources(gtest PRIVATE ${FERRY_GOOGLETEST}/src/gtest-all.cc)
target_include_directories(gtest PRIVATE ${FERRY_GOOGLETEST})
target_include_directories(gtest SYSTEM PUBLIC ${FERRY_GOOGLETEST}/include)
target_link_libraries(gtest PUBLIC Threads::Threads)
target_sources(gtest_main PRIVATE ${FERRY_GOOGLETEST}/src/gtest_main.cc)
target_link_libraries(gtest_main PUBLIC gtest)
