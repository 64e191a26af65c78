// SPDX-License-Identifier: Apache-2.0
// The file of a trace, compressed or not, and the memory in front of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ferry::plugins::trace {

// Bytes to be written. Grows as needed; `room` is the fast way in.
class Bytes {
 public:
  // At least `size` bytes to write to; `used` says how many of them were used.
  char* room(size_t size) {
    if (capacity_ - size_ < size) grow(size);
    return data_.get() + size_;
  }
  void used(size_t size) { size_ += size; }
  void add(std::string_view text) {
    char* to = room(text.size());
    text.copy(to, text.size());
    size_ += text.size();
  }
  const char* data() const { return data_.get(); }
  size_t size() const { return size_; }
  void clear() { size_ = 0; }

 private:
  void grow(size_t size);

  std::unique_ptr<char[]> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

// Compresses bytes as gzip; null when it was built without zlib.
class Compressor {
 public:
  virtual ~Compressor() = default;
  enum class Until { kMore, kFlush, kEnd };
  // Appends what comes out to `to`. After kFlush a reader gets everything that was put in.
  virtual bool put(const Bytes& from, Until until, Bytes& to) = 0;
  // After kFlush: appends what a reader takes for more of the same. Later calls do not know of it.
  virtual bool put_for_now(const Bytes& from, Bytes& to) = 0;
};
bool can_compress();
std::unique_ptr<Compressor> make_compressor();

// Functions that write return false after the first failure, and from then on; `error` says why.
class Output {
 public:
  // Saying that there is no memory must not need any.
  Output() { error_.reserve(200); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  // Creates or truncates a regular file. Never blocks: refuses everything else.
  bool open(const std::string& path, bool is_compressed);
  Bytes& bytes() { return bytes_; }
  // Writes once there is enough.
  bool write_if_large() { return bytes_.size() < kLarge || write(Compressor::Until::kMore); }
  bool flush() { return write(Compressor::Until::kFlush); }
  // Writes bytes behind what was flushed; whatever is written next replaces them.
  bool write_for_now();
  bool close();
  const std::string& error() const { return error_; }
  bool fail(const char* what, int code);

 private:
  static constexpr size_t kLarge = size_t{256} << 10;
  bool write(Compressor::Until until);
  // Takes bytes, compressed if need be.
  bool append(const Bytes& bytes);
  bool drop_what_was_for_now();

  int file_ = -1;
  uint64_t size_ = 0;     // of the file, without what was written for now
  uint64_t for_now_ = 0;  // bytes behind that
  Bytes bytes_;
  Bytes compressed_;
  std::unique_ptr<Compressor> compressor_;
  std::string error_;
};

}  // namespace ferry::plugins::trace
