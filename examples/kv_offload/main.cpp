// SPDX-License-Identifier: Apache-2.0
// The command line of the example. `ferry demo` runs the same code with its own options.
#include "kv_offload.h"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr const char* kUsage =
    "usage: kv_offload [--blocks N] [--block-size LIST] [--layers N] [--rounds N] [--device N]\n"
    "  --blocks N         blocks moved per round (128, fewer for large ones)\n"
    "  --block-size LIST  bytes per block in one layer, such as 512,8K,32K,128K; multiples of 8\n"
    "  --layers N         layers, each with its own tensor (32)\n"
    "  --rounds N         measured rounds (5)\n"
    "  --device N         number of the device (0)\n";

// Reads "4096", "8K" or "2M" at `text` and advances it. 0 when there is no such number.
size_t read_size(const char*& text) {
  if (std::isdigit(static_cast<unsigned char>(*text)) == 0) return 0;
  char* end = nullptr;
  errno = 0;
  const unsigned long long number = std::strtoull(text, &end, 10);
  const int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
  text = shift != 0 ? end + 1 : end;
  return errno != 0 || number > (1ULL << 32) ? 0 : static_cast<size_t>(number) << shift;
}

bool read_sizes(const char* text, std::vector<size_t>& sizes) {
  sizes.clear();
  for (;; ++text) {
    const size_t size = read_size(text);
    if (size == 0 || size % 8 != 0) return false;
    sizes.push_back(size);
    if (*text != ',') return *text == '\0';
  }
}

bool read_number(const char* text, size_t smallest, size_t& number) {
  char* end = nullptr;
  errno = 0;
  const unsigned long long value = std::strtoull(text, &end, 10);
  number = static_cast<size_t>(value);
  return std::isdigit(static_cast<unsigned char>(*text)) != 0 && *end == '\0' && errno == 0 &&
         value >= smallest && value <= 1000000;
}

bool read_option(const char* name, const char* value, kv_offload::Options& options) {
  if (std::strcmp(name, "--block-size") == 0) return read_sizes(value, options.block_bytes);
  if (std::strcmp(name, "--blocks") == 0) return read_number(value, 1, options.blocks);
  if (std::strcmp(name, "--layers") == 0) return read_number(value, 1, options.layers);
  if (std::strcmp(name, "--rounds") == 0) return read_number(value, 1, options.rounds);
  size_t device = 0;
  if (std::strcmp(name, "--device") != 0 || !read_number(value, 0, device)) return false;
  options.device = static_cast<int>(device);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  kv_offload::Options options;
  for (int i = 1; i < argc; i += 2) {
    if (std::strcmp(argv[i], "--help") == 0) {
      std::fputs(kUsage, stdout);
      return 0;
    }
    if (i + 1 == argc || !read_option(argv[i], argv[i + 1], options)) {
      std::fprintf(stderr, "kv_offload: invalid option: %s %s\n%s", argv[i],
                   i + 1 < argc ? argv[i + 1] : "without a value", kUsage);
      return 2;
    }
  }
  return kv_offload::run(options);
}
