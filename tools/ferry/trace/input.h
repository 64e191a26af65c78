// SPDX-License-Identifier: Apache-2.0
// The bytes of a file that the user names, decompressed when they are gzip.
#pragma once

#include <cstddef>
#include <string>

namespace ferry::tools::trace {

/// Not to be shared between threads.
class Input {
 public:
  Input() = default;
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input();

  /// A folder stands for the trace_view.json in it. Returns "", or the rest of a sentence about the
  /// path. Never waits, also not for a FIFO.
  std::string open(const std::string& path);

  struct Block {
    size_t size = 0;  // 0: the end
    std::string error;
  };
  /// Up to `size` bytes. A compressed file that was cut off ends where it was cut off.
  Block read(char* data, size_t size);

 private:
  int file_ = -1;
  void* gzip_ = nullptr;  // a gzFile, which reads plain files, too
};

}  // namespace ferry::tools::trace
