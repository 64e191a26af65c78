// SPDX-License-Identifier: Apache-2.0
// The programs that ferry run and ferry info look at: ELF tables, and the first line of scripts.
#include "program_file.h"

#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include <string>

using namespace ferry;
using tools::ProgramFile;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int file = memfd_create("program", MFD_CLOEXEC);
  fuzz::require(file >= 0 && write(file, data, size) == static_cast<ssize_t>(size), "a file");
  const ProgramFile program = tools::find_program("/proc/self/fd/" + std::to_string(file));
  close(file);
  fuzz::require(program.kind != ProgramFile::Kind::kNotFound, "the file is found");
  fuzz::require(program.kind == ProgramFile::Kind::kDynamic ||
                    program.kind == ProgramFile::Kind::kLibrary ||
                    program.kind == ProgramFile::Kind::kScript || program.interpreter.empty(),
                "only these are interpreted");
  return 0;
}
