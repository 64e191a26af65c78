# SPDX-License-Identifier: Apache-2.0
# Unity files are in the build folder, and clang-tidy looks for its settings beside a file and above it. So the
# settings of a source folder are copied to where its unity files are.
function(ferry_lint_as sources units)
  configure_file(${PROJECT_SOURCE_DIR}/${sources}/.clang-tidy ${PROJECT_BINARY_DIR}/${units}/.clang-tidy COPYONLY)
endfunction()

ferry_lint_as(src src)
ferry_lint_as(src/api src/CMakeFiles/ascendcl.dir)
ferry_lint_as(src/layers src/CMakeFiles/ferry_check.dir)
ferry_lint_as(src/layers src/CMakeFiles/ferry_layers.dir)
ferry_lint_as(tests tests)
