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
  }

  bool start() {
    constexpr int kGzip = 16;
    constexpr int kMemory = 8;
    is_ready_ = deflateInit2(&stream_, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + kGzip, kMemory,
                             Z_DEFAULT_STRATEGY) == Z_OK;
    return is_ready_;
  }

  bool put(const Bytes& from, Until until, Bytes& to) override {
    constexpr size_t kStep = size_t{64} << 10;
    const int mode = until == Until::kMore    ? Z_NO_FLUSH
                     : until == Until::kFlush ? Z_SYNC_FLUSH
                                              : Z_FINISH;
    // zlib's interface knows no const input; it does not change it.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data()));
    // Callers write long before there are 4 GiB.
    stream_.avail_in = static_cast<uInt>(from.size());
    for (;;) {
      stream_.next_out = reinterpret_cast<Bytef*>(to.room(kStep));
      stream_.avail_out = kStep;
      const int answer = deflate(&stream_, mode);
      to.used(kStep - stream_.avail_out);
      if (answer == Z_STREAM_END) return true;
      // Nothing to do is an error to zlib, not here.
      if (answer != Z_OK && answer != Z_BUF_ERROR) return false;
      if (stream_.avail_out > 0) return mode != Z_FINISH;
    }
  }

 private:
  z_stream stream_{};
  bool is_ready_ = false;
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
