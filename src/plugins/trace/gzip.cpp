// SPDX-License-Identifier: Apache-2.0
// Compression with zlib; a build without it has none.
#include "plugins/trace/output.h"

#if FERRY_TRACE_HAS_ZLIB
#include <zlib.h>
#endif

namespace ferry::plugins::trace {

#if FERRY_TRACE_HAS_ZLIB

namespace {

class Gzip : public Compressor {
 public:
  Gzip() = default;
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip() override {
    if (is_ready_) deflateEnd(&stream_);
    if (is_ready_for_now_) deflateEnd(&for_now_);
  }

  bool start() {
    constexpr int kGzip = 16;
    constexpr int kMemory = 8;
    is_ready_ = deflateInit2(&stream_, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + kGzip, kMemory,
                             Z_DEFAULT_STRATEGY) == Z_OK;
    // Without header and checksum.
    is_ready_for_now_ = deflateInit2(&for_now_, Z_BEST_SPEED, Z_DEFLATED, -MAX_WBITS, kMemory,
                                     Z_DEFAULT_STRATEGY) == Z_OK;
    return is_ready_ && is_ready_for_now_;
  }

  bool put(const Bytes& from, Until until, Bytes& to) override {
    const int mode = until == Until::kMore    ? Z_NO_FLUSH
                     : until == Until::kFlush ? Z_SYNC_FLUSH
                                              : Z_FINISH;
    return deflate_all(stream_, from, mode, to);
  }

  // A flush ends at a whole byte. Blocks that a fresh compressor makes can follow there, because
  // they refer to nothing before them.
  bool put_for_now(const Bytes& from, Bytes& to) override {
    return deflateReset(&for_now_) == Z_OK && deflate_all(for_now_, from, Z_SYNC_FLUSH, to);
  }

 private:
  static bool deflate_all(z_stream& stream, const Bytes& from, int mode, Bytes& to) {
    constexpr size_t kStep = size_t{64} << 10;
    // zlib's interface knows no const input; it does not change it.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data()));
    // Callers write long before there are 4 GiB.
    stream.avail_in = static_cast<uInt>(from.size());
    for (;;) {
      stream.next_out = reinterpret_cast<Bytef*>(to.room(kStep));
      stream.avail_out = kStep;
      const int answer = deflate(&stream, mode);
      to.used(kStep - stream.avail_out);
      if (answer == Z_STREAM_END) return true;
      // Nothing to do is an error to zlib, not here.
      if (answer != Z_OK && answer != Z_BUF_ERROR) return false;
      if (stream.avail_out > 0) return mode != Z_FINISH;
    }
  }

  z_stream stream_{};
  z_stream for_now_{};  // of what is written for now
  bool is_ready_ = false;
  bool is_ready_for_now_ = false;
};

}  // namespace

bool can_compress() {
  return true;
}

std::unique_ptr<Compressor> make_compressor() {
  auto gzip = std::make_unique<Gzip>();
  if (!gzip->start()) return nullptr;
  return gzip;
}

#else

bool can_compress() {
  return false;
}

std::unique_ptr<Compressor> make_compressor() {
  return nullptr;
}

#endif

}  // namespace ferry::plugins::trace
