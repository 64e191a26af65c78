# SPDX-License-Identifier: Apache-2.0
# Groups of targets. ./run and ./test build what_runs and quick_tests in one folder, so that switching between them
# builds nothing again.

# ferry_targets(VARIABLE FOLDER): appends the targets of a source folder and of the folders below it.
function(ferry_targets variable folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(is_excluded ${target} EXCLUDE_FROM_ALL)
    if(NOT is_excluded)
      list(APPEND ${variable} ${target})
    endif()
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    ferry_targets(${variable} ${below})
  endforeach()
  set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()

if(FERRY_TOOLS)
  add_custom_target(what_runs DEPENDS ferry ${FERRY_COMPANIONS})
endif()

# ferry_group(NAME FOLDER...): a target that builds all targets of these source folders.
function(ferry_group name)
  set(members)
  foreach(folder IN LISTS ARGN)
    if(IS_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
      ferry_targets(members ${folder})
    endif()
  endforeach()
  add_custom_target(${name} DEPENDS ${members})
endfunction()

# Everything but the tests that take long, which CI builds and runs. The test preset dev excludes them by their labels.
if(FERRY_TESTS AND FERRY_TOOLS AND FERRY_EXAMPLES AND NOT CMAKE_CROSSCOMPILING)
  ferry_group(quick_tests src bench tools/ferry examples python tests/abi tests/companions tests/conformance
    tests/host_gpu tests/source_rules tests/tools tests/trace_files tests/unit)
endif()

# What is tested under an emulator.
if(FERRY_TESTS AND CMAKE_CROSSCOMPILING)
  ferry_group(emulated_tests src tests/abi tests/conformance tests/unit)
endif()
