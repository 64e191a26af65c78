// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target over files, or over all files of folders: the corpora as ordinary tests, where
// libFuzzer is not linked.
#include "fuzz.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

namespace fs = std::filesystem;

int replay(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  std::printf("%s, %zu bytes\n", path.c_str(), bytes.size());
  std::fflush(stdout);  // the last line names the input that crashes
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  int inputs = 0;
  for (int i = 1; i < count; ++i) {
    if (!fs::is_directory(arguments[i])) {
      inputs += replay(arguments[i]);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(arguments[i]))
      inputs += replay(entry.path());
  }
  return inputs > 0 ? 0 : 1;
}
