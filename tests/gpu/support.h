// SPDX-License-Identifier: Apache-2.0
// Buffers, random bytes and scattered ranges for the checks of the code that moves bytes on a GPU.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace ferry::cuda {

// Whether the run should be short: under a checker that is a hundred times slower.
bool is_short_run();

// One per thread: generators are not shared.
inline std::mt19937_64& random_numbers() {
  static thread_local std::mt19937_64 numbers(20260101);
  return numbers;
}

inline uint64_t draw(uint64_t least, uint64_t most) {
  return std::uniform_int_distribution<uint64_t>(least, most)(random_numbers());
}

inline std::vector<uint8_t> random_bytes(size_t size) {
  std::vector<uint8_t> bytes(size);
  for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
    const uint64_t number = random_numbers()();
    std::memcpy(&bytes[at], &number, std::min(sizeof number, size - at));
  }
  return bytes;
}

inline void expect_ok(cudaError_t error) {
  ASSERT_EQ(error, cudaSuccess) << cudaGetErrorString(error);
}

enum class Place { kDevice, kPinned };

// Memory of exactly `size` bytes, so that a checker sees the first byte touched outside of it.
class Buffer {
 public:
  Buffer(Place place, size_t size) : place_(place), size_(size) {
    void* memory = nullptr;
    expect_ok(place == Place::kDevice ? cudaMalloc(&memory, size)
                                      : cudaHostAlloc(&memory, size, cudaHostAllocMapped));
    memory_ = static_cast<char*>(memory);
  }
  ~Buffer() {
    if (place_ == Place::kDevice) {
      cudaFree(memory_);
    } else {
      cudaFreeHost(memory_);
    }
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  char* at(uint64_t offset) const { return memory_ + offset; }
  uint64_t address(uint64_t offset = 0) const { return reinterpret_cast<uint64_t>(at(offset)); }
  size_t size() const { return size_; }

  void write(const std::vector<uint8_t>& bytes) {
    ASSERT_EQ(bytes.size(), size_);
    expect_ok(cudaMemcpy(memory_, bytes.data(), size_, cudaMemcpyDefault));
  }
  std::vector<uint8_t> read() const {
    std::vector<uint8_t> bytes(size_);
    expect_ok(cudaMemcpy(bytes.data(), memory_, size_, cudaMemcpyDefault));
    return bytes;
  }

 private:
  const Place place_;
  const size_t size_;
  char* memory_ = nullptr;
};

class Stream {
 public:
  Stream() { expect_ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const { return stream_; }
  void wait() { expect_ok(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

// A copy between two buffers.
struct Span {
  uint64_t dst = 0;
  uint64_t src = 0;
  uint64_t size = 0;
};

// Spans in random order whose destinations do not overlap; the buffers end with the last span.
struct Scatter {
  std::vector<Span> spans;
  uint64_t dst_size = 0;
  uint64_t src_size = 0;

  void add(uint64_t size, uint64_t dst_gap, uint64_t src_gap) {
    spans.push_back({dst_size + dst_gap, src_size + src_gap, size});
    dst_size += dst_gap + size;
    src_size += src_gap + size;
  }
  void shuffle() { std::shuffle(spans.begin(), spans.end(), random_numbers()); }
};

// `count` spans of 1 to `largest` bytes at any alignment.
inline Scatter odd_scatter(size_t count, uint64_t largest) {
  Scatter scatter;
  for (size_t i = 0; i < count; ++i)
    scatter.add(draw(1, largest), draw(0, 40), draw(0, 40));
  scatter.shuffle();
  return scatter;
}

// `count` spans of the same size, at multiples of it.
inline Scatter even_scatter(size_t count, uint64_t size) {
  Scatter scatter;
  for (size_t i = 0; i < count; ++i)
    scatter.add(size, 0, size);
  scatter.shuffle();
  return scatter;
}

// Two buffers of random bytes, and the expected destination after the copies.
class CopyCase {
 public:
  CopyCase(Place dst, Place src, const Scatter& scatter)
      : dst_(dst, scatter.dst_size), src_(src, scatter.src_size), spans_(scatter.spans) {
    const std::vector<uint8_t> from = random_bytes(src_.size());
    expected_ = random_bytes(dst_.size());
    src_.write(from);
    dst_.write(expected_);
    for (const Span& span : spans_)
      std::memcpy(expected_.data() + span.dst, from.data() + span.src, span.size);
  }

  const std::vector<Span>& spans() const { return spans_; }
  const Buffer& dst() const { return dst_; }
  const Buffer& src() const { return src_; }

  // Bytes between the spans must be unchanged too.
  void check() const {
    const std::vector<uint8_t> found = dst_.read();
    const auto [want, got] = std::mismatch(expected_.begin(), expected_.end(), found.begin());
    ASSERT_TRUE(want == expected_.end())
        << "byte " << want - expected_.begin() << " of " << found.size() << " is "
        << static_cast<int>(*got) << " instead of " << static_cast<int>(*want);
  }

 private:
  Buffer dst_;
  Buffer src_;
  std::vector<Span> spans_;
  std::vector<uint8_t> expected_;
};

}  // namespace ferry::cuda
