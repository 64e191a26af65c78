# SPDX-License-Identifier: Apache-2.0
# Toolchain for aarch64 Linux with Debian's cross compiler; tests run under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

find_program(FERRY_QEMU NAMES qemu-aarch64 qemu-aarch64-static REQUIRED)
find_program(FERRY_PRLIMIT prlimit REQUIRED)
# qemu 7.2 keeps a record of each page a program reserves, and walks all of them whenever the program
# opens /proc/self/maps. With an address space limit of 16 GiB the library reserves less.
set(CMAKE_CROSSCOMPILING_EMULATOR
  ${FERRY_PRLIMIT} --as=17179869184 ${FERRY_QEMU} -L /usr/aarch64-linux-gnu)

# Only the headers of fmt are used, and they are the same for every processor. Its package files are in
# the host's folder, where find_package does not look when cross-compiling.
set(fmt_DIR /usr/lib/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu/cmake/fmt)
