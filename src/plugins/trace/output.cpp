// SPDX-License-Identifier: Apache-2.0
#include "plugins/trace/output.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

namespace ferry::plugins::trace {
namespace {

// A file beyond RLIMIT_FSIZE raises SIGXFSZ, which would end the program because of its trace. It
// is raised for the writing thread, so blocking and taking it here does not hide one of the
// program's.
class WithoutFileSizeSignal {
 public:
  WithoutFileSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  WithoutFileSizeSignal(const WithoutFileSizeSignal&) = delete;
  WithoutFileSizeSignal& operator=(const WithoutFileSizeSignal&) = delete;
  ~WithoutFileSizeSignal() {
    constexpr timespec kNow{};
    if (!was_pending_) sigtimedwait(&signal_, nullptr, &kNow);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t signal_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

// 0, or the errno of the failure.
int write_all(int file, const char* data, size_t size) {
  const WithoutFileSizeSignal no_signal;
  while (size > 0) {
    const ssize_t written = ::write(file, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    data += written;
    size -= static_cast<size_t>(written);
  }
  return 0;
}

}  // namespace

void Bytes::grow(size_t size) {
  constexpr size_t kLeast = 4096;
  const size_t capacity = std::max({kLeast, capacity_ * 2, size_ + size});
  auto data = std::make_unique_for_overwrite<char[]>(capacity);
  std::copy_n(data_.get(), size_, data.get());
  data_ = std::move(data);
  capacity_ = capacity;
}

Output::~Output() {
  if (file_ < 0) return;
  flock(file_, LOCK_UN);
  ::close(file_);
}

bool Output::fail(const char* what, int code) {
  if (!error_.empty()) return false;
  error_ = what;
  if (code != 0) error_.append(": ").append(std::strerror(code));
  return false;
}

bool Output::open(const std::string& path, bool is_compressed) {
  // Without O_NONBLOCK a FIFO that has replaced the file since it was checked would block.
  constexpr int kFlags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  constexpr mode_t kMode = 0666;  // less the umask
  file_ = ::open(path.c_str(), kFlags, kMode);
  if (file_ < 0) return fail("cannot be opened", errno);
  struct stat status {};
  if (fstat(file_, &status) != 0) return fail("cannot be examined", errno);
  if (!S_ISREG(status.st_mode)) return fail("is not a regular file", 0);
  // Two processes that inherit the same FERRY_TRACE would overwrite each other. File systems
  // without locks are used without. A child that was forked meanwhile has the file, but does not
  // write.
  if (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return fail("is being written by another process: %p in the name stands for the process id", 0);
  }
  if (ftruncate(file_, 0) != 0) return fail("cannot be truncated", errno);
  if (is_compressed) {
    compressor_ = make_compressor();
    if (compressor_ == nullptr) return fail("cannot be compressed: zlib has failed", 0);
  }
  return true;
}

bool Output::append(const Bytes& bytes) {
  const int code = write_all(file_, bytes.data(), bytes.size());
  bytes_.clear();
  return code == 0 || fail("cannot be written", code);
}

// Shortened before it is written to: a process that is killed in between leaves whole events.
bool Output::drop_what_was_for_now() {
  if (for_now_ == 0) return true;
  for_now_ = 0;
  const auto end = static_cast<off_t>(size_);
  const bool is_done = ftruncate(file_, end) == 0 && lseek(file_, end, SEEK_SET) == end;
  return is_done || fail("cannot be shortened", errno);
}

bool Output::write(Compressor::Until until) {
  if (!error_.empty()) {
    bytes_.clear();
    return false;
  }
  Bytes* from = &bytes_;
  if (compressor_ != nullptr) {
    compressed_.clear();
    if (!compressor_->put(bytes_, until, compressed_)) return fail("cannot be compressed", 0);
    from = &compressed_;
  }
  const bool is_kept_back = from->size() == 0 && until == Compressor::Until::kMore;
  if (!is_kept_back && !drop_what_was_for_now()) return false;
  size_ += from->size();
  return append(*from);
}

bool Output::write_for_now() {
  Bytes* from = &bytes_;
  if (compressor_ != nullptr) {
    compressed_.clear();
    if (!compressor_->put_for_now(bytes_, compressed_)) return fail("cannot be compressed", 0);
    from = &compressed_;
  }
  for_now_ += from->size();
  return append(*from);
}

bool Output::close() {
  if (file_ < 0) return fail("is not open", 0);
  const bool is_written = write(Compressor::Until::kEnd);
  flock(file_, LOCK_UN);  // closing it does not unlock it while a forked child has it
  const int code = ::close(file_) == 0 || errno == EINTR ? 0 : errno;
  file_ = -1;
  if (!is_written) return false;
  return code == 0 || fail("cannot be closed", code);
}

}  // namespace ferry::plugins::trace
