# SPDX-License-Identifier: Apache-2.0
# Debian packages: cmake --build --preset release && cpack --preset release
#
# Everything is in /usr/lib/ferry, in CANN's layout, where the loader does not look: a program uses Ferry only with
# `ferry run`, set_env.sh or an RPATH, so the packages can be installed beside CANN. packages/arrange.cmake puts what
# belongs into Debian's own folders there: the program, manual pages, completions, documentation.
if(NOT FERRY_TOOLS OR SKBUILD)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The Ferry authors")
set(CPACK_PACKAGE_CONTACT "The Ferry authors <ferry@noreply.invalid>" CACHE STRING
  "Maintainer of the Debian packages: a name and an address")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr/lib/ferry)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/packages/arrange.cmake)
set(CPACK_FERRY_SOURCE ${PROJECT_SOURCE_DIR})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SOURCE ferry)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
if(CMAKE_CROSSCOMPILING)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
else()
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS $<TARGET_FILE_DIR:ascendcl>)
endif()

set(same_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

# ferry_package(COMPONENT NAME SECTION DEPENDS SUMMARY DESCRIPTION)
macro(ferry_package component name section depends summary description)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${description}")
  set(CPACK_FERRY_${component}_NAME ${name})
endmacro()

ferry_package(library libferry libs ""
  "AscendCL memory copies without an Ascend NPU: library"
  "Ferry is an open implementation of the memory and copy half of the AscendCL\nruntime. Its devices are the cores of \
this machine.\n\nThis package contains libascendcl.so and the libraries beside it, in\n/usr/lib/ferry, where \
programs find them with `ferry run` or set_env.sh only.")
ferry_package(tools ferry devel "libferry ${same_version}"
  "AscendCL memory copies without an Ascend NPU: the program ferry"
  "Runs programs that use AscendCL on this machine, finds bugs in their\nasynchronous copies, traces, replays and \
measures them.")
ferry_package(development libferry-dev libdevel "libferry ${same_version}"
  "AscendCL memory copies without an Ascend NPU: headers"
  "The headers of AscendCL and of Ferry, a CMake package, a pkg-config file and\nexamples.")
if(TARGET python_acl)
  math(EXPR next "${FERRY_PYTHON_MINOR} + 1")
  ferry_package(python python3-ferry python
    "libferry ${same_version}, python3 (>= 3.${FERRY_PYTHON_MINOR}), python3 (<< 3.${next})"
    "AscendCL memory copies without an Ascend NPU: Python modules"
    "The module acl runs programs written for pyACL unchanged. The package ferry is\nan API of its own.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy, ferry")
  # Compile the modules, and remove what was compiled.
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
    ${PROJECT_SOURCE_DIR}/cmake/packages/python/postinst ${PROJECT_SOURCE_DIR}/cmake/packages/python/prerm)
endif()
if(TARGET ferry_backend_cuda)
  ferry_package(cuda libferry-cuda libs "libferry ${same_version}"
    "AscendCL memory copies without an Ascend NPU: NVIDIA GPUs as devices"
    "The plugin for devices that are NVIDIA GPUs. It needs NVIDIA's driver at run\ntime.")
endif()
if(TARGET ferry_ucx)
  ferry_package(fabric libferry-fabric libs "libferry ${same_version}"
    "AscendCL memory copies without an Ascend NPU: several machines"
    "The plugin for copies between machines, with UCX.")
endif()
include(CPack)
