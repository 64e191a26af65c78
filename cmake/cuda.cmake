# SPDX-License-Identifier: Apache-2.0
# Decides whether the plugin for CUDA devices is built, and finds what it needs. Sets FERRY_WITH_CUDA.
# Building needs neither a GPU nor a driver; both are looked for when the plugin is loaded.
set(FERRY_CUDA AUTO CACHE STRING "Build the plugin for CUDA devices: ON, OFF, or AUTO (if nvcc 12.8 or later is found)")
set_property(CACHE FERRY_CUDA PROPERTY STRINGS AUTO ON OFF)
set(FERRY_WITH_CUDA FALSE)

# A wheel contains no plugin, and GPU code is neither sanitized nor run under an emulator.
if(NOT FERRY_CUDA OR (FERRY_CUDA STREQUAL "AUTO" AND (FERRY_SANITIZE OR CMAKE_CROSSCOMPILING OR SKBUILD)))
  return()
endif()

if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(FERRY_NVCC nvcc PATHS /usr/local/cuda/bin)
  mark_as_advanced(FERRY_NVCC)
  if(FERRY_NVCC)
    set(CMAKE_CUDA_COMPILER ${FERRY_NVCC})
  endif()
endif()
# Machine code for the architectures from Turing on, and PTX for GPUs that are newer than all of them.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real 90-real 100-real 120)
endif()

include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  find_package(CUDAToolkit 12.8 QUIET)
endif()
if(CMAKE_CUDA_COMPILER AND CUDAToolkit_FOUND AND TARGET CUDA::cudart_static)
  enable_language(CUDA)
  set(FERRY_WITH_CUDA TRUE)
elseif(FERRY_CUDA STREQUAL "AUTO")
  message(STATUS "The plugin for CUDA devices is not built: nvcc 12.8 or later was not found")
else()
  message(FATAL_ERROR "FERRY_CUDA is ON, but nvcc 12.8 or later with the static CUDA runtime was not found")
endif()
