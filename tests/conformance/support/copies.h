// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of copies and fills: other contexts, handles that are not streams, calls on
// other threads, inaccessible host pages, and checks of failed tasks.
#pragma once

#include "support/conformance.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <ostream>
#include <utility>

namespace conformance::copies {

// The check of EXPECT_FAILS for a call made through a pointer or a wrapper.
inline ::testing::AssertionResult failed_as(const char* function, aclError code,
                                            const char* message_code, aclError actual) {
  return fails_as("", "", function, code, message_code, actual);
}

// Fetches the text of the latest failure and looks for `part` in it.
inline ::testing::AssertionResult text_has(const std::string& part) {
  const std::string text = recent_text();
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "\"" << part << "\" is not in the text: " << text;
}

inline aclError last_error() {
  return aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL);
}

// Waits for a stream and checks that a task queued by `function` failed on it, and that the failure
// is cleared afterwards.
inline ::testing::AssertionResult task_failed(aclrtStream stream, const std::string& function) {
  const aclError first = aclrtSynchronizeStream(stream);
  const std::string text = recent_text();
  const aclError second = aclrtSynchronizeStream(stream);
  if (first != ACL_ERROR_RT_TS_ERROR) {
    return ::testing::AssertionFailure()
           << "the stream returned " << first << ", expected 507001; text: " << text;
  }
  if (text.find(function) == std::string::npos) {
    return ::testing::AssertionFailure() << "the text does not name " << function << ": " << text;
  }
  if (second != ACL_SUCCESS) {
    return ::testing::AssertionFailure() << "the second synchronisation returned " << second;
  }
  return ::testing::AssertionSuccess();
}

// A call on a new thread, in the current context of the thread that starts it. The call is about to
// be made when the constructor returns.
class CallOnThread {
 public:
  explicit CallOnThread(std::function<aclError()> call) {
    aclrtContext context = nullptr;
    EXPECT_OK(aclrtGetCurrentContext(&context));
    thread_ = std::thread([this, context, call = std::move(call)] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      has_started_ = true;
      has_started_.notify_all();
      result_ = call();
      text_ = recent_text();
      has_returned_ = true;
    });
    has_started_.wait(false);
  }
  ~CallOnThread() {
    if (thread_.joinable()) thread_.join();
  }
  CallOnThread(const CallOnThread&) = delete;
  CallOnThread& operator=(const CallOnThread&) = delete;

  bool has_returned() const { return has_returned_; }
  // Waits for the call and returns its result.
  aclError result() {
    thread_.join();
    return result_;
  }
  // The error text it left; valid after result().
  const std::string& text() const { return text_; }

 private:
  std::thread thread_;
  std::atomic<bool> has_started_ = false;
  std::atomic<bool> has_returned_ = false;
  aclError result_ = ACL_SUCCESS;
  std::string text_;
};

// A second context of device 0 with its own stream. The current context does not change.
class OtherContext {
 public:
  OtherContext() {
    EXPECT_OK(aclrtGetCurrentContext(&previous_));
    EXPECT_OK(aclrtCreateContext(&context_, 0));
    EXPECT_OK(aclrtCreateStream(&stream_));
    leave();
  }
  ~OtherContext() {
    enter();
    EXPECT_OK(aclrtDestroyStream(stream_));
    EXPECT_OK(aclrtDestroyContext(context_));
    leave();
  }
  OtherContext(const OtherContext&) = delete;
  OtherContext& operator=(const OtherContext&) = delete;

  aclrtStream stream() const { return stream_; }
  void enter() const { EXPECT_OK(aclrtSetCurrentContext(context_)); }
  void leave() const { EXPECT_OK(aclrtSetCurrentContext(previous_)); }

 private:
  aclrtContext previous_ = nullptr;
  aclrtContext context_ = nullptr;
  aclrtStream stream_ = nullptr;
};

// A context that stops on failure, in which a task has failed. It is the current context until the
// end of the scope.
class StoppedContext {
 public:
  StoppedContext() {
    other_.enter();
    EXPECT_OK(aclrtSetStreamFailureMode(other_.stream(), ACL_STOP_ON_FAILURE));
    const DeviceBuffer buffer(64);
    EXPECT_OK(aclrtMemsetAsync(buffer.get(), size_t{1} << 20, 0, size_t{1} << 20, stream()));
    EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream()));
    clear_errors();
  }
  ~StoppedContext() { other_.leave(); }
  StoppedContext(const StoppedContext&) = delete;
  StoppedContext& operator=(const StoppedContext&) = delete;

  aclrtStream stream() const { return other_.stream(); }

 private:
  OtherContext other_;
};

// Handles that are not live streams, each with a description.
class BadStreams {
 public:
  struct Entry {
    const char* what;
    aclrtStream handle;
  };

  // Requires a current context.
  BadStreams() {
    aclrtStream destroyed = nullptr;
    EXPECT_OK(aclrtCreateStream(&destroyed));
    EXPECT_OK(aclrtDestroyStream(destroyed));
    EXPECT_OK(aclrtCreateEvent(&event_));
    entries_ = {{"a destroyed stream", destroyed},
                {"an event", event_},
                {"the address of a variable", &variable_},
                {"a number", number_as_handle(0x5a5a5a)}};
  }
  ~BadStreams() { EXPECT_OK(aclrtDestroyEvent(event_)); }
  BadStreams(const BadStreams&) = delete;
  BadStreams& operator=(const BadStreams&) = delete;

  const std::vector<Entry>& all() const { return entries_; }
  aclrtStream destroyed() const { return entries_[0].handle; }

 private:
  static aclrtStream number_as_handle(uintptr_t number) {
    return reinterpret_cast<aclrtStream>(number);  // NOLINT: what a confused program passes
  }

  aclrtEvent event_ = nullptr;
  uint64_t variable_[4] = {};
  std::vector<Entry> entries_;
};

// An address at which no program has memory.
inline void* unmapped_address() {
  return reinterpret_cast<void*>(uintptr_t{4096});  // NOLINT
}

// Pageable pages, initially all readable and writable.
class HostPages {
 public:
  explicit HostPages(size_t count) : size_(count * page()) {
    address_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(MAP_FAILED, address_);
  }
  ~HostPages() { munmap(address_, size_); }
  HostPages(const HostPages&) = delete;
  HostPages& operator=(const HostPages&) = delete;

  static size_t page() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }
  uint8_t* at(size_t offset) const { return static_cast<uint8_t*>(address_) + offset; }
  size_t size() const { return size_; }
  // Removes all access to one page.
  void forbid(size_t index) { EXPECT_EQ(0, mprotect(at(index * page()), page(), PROT_NONE)); }
  // Removes write access to one page.
  void protect(size_t index) { EXPECT_EQ(0, mprotect(at(index * page()), page(), PROT_READ)); }

 private:
  void* address_ = nullptr;
  size_t size_;
};

// The accessible size of an aclrtMalloc allocation.
constexpr size_t padded(size_t size) {
  return (size + 31) / 32 * 32 + 32;
}

// A number that need not be an enumerator of aclrtMemcpyKind.
inline aclrtMemcpyKind kind_of(int number) {
  return static_cast<aclrtMemcpyKind>(number);
}

// aclrtMemcpyAsync or its twin aclrtMemcpyAsyncWithCondition.
struct AsyncCopyForm {
  const char* name;
  aclError (*call)(void*, size_t, const void*, size_t, aclrtMemcpyKind, aclrtStream);
};

inline void PrintTo(const AsyncCopyForm& form, std::ostream* out) {
  *out << form.name;
}

inline const AsyncCopyForm kAsyncCopyForms[] = {
    {"aclrtMemcpyAsync", aclrtMemcpyAsync},
    {"aclrtMemcpyAsyncWithCondition", aclrtMemcpyAsyncWithCondition},
};

// Runs a test for each of the two.
class WithAsyncCopy : public WithStream, public ::testing::WithParamInterface<AsyncCopyForm> {
 protected:
  static const char* name() { return GetParam().name; }
  static aclError copy(void* dst, const void* src, size_t count, aclrtMemcpyKind kind,
                       aclrtStream stream) {
    return GetParam().call(dst, count, src, count, kind, stream);
  }
  // Whether a call failed with `code`, and with a text that has its name and that message code.
  static ::testing::AssertionResult failed(aclError code, const char* message_code,
                                           aclError actual) {
    return failed_as(name(), code, message_code, actual);
  }
};

// Names the runs of a parameterised test after the function they call.
struct FormName {
  template <class Form>
  std::string operator()(const ::testing::TestParamInfo<Form>& info) const {
    return info.param.name;
  }
};

// Memory on two devices, for a process with FERRY_DEVICES=cpu:2. Device 0 is current.
class TwoDevices {
 public:
  explicit TwoDevices(size_t size) {
    for (int32_t device = 1; device >= 0; --device) {
      EXPECT_OK(aclrtSetDevice(device));
      EXPECT_OK(aclrtGetCurrentContext(&contexts_[device]));
      EXPECT_OK(aclrtCreateStream(&streams_[device]));
      buffers_[device] = std::make_unique<DeviceBuffer>(size);
      buffers_[device]->write(pattern(size, static_cast<uint8_t>(device + 1)));
    }
  }
  ~TwoDevices() {
    for (int32_t device = 0; device < 2; ++device) {
      use(device);
      EXPECT_OK(aclrtDestroyStream(streams_[device]));
      buffers_[device].reset();
      EXPECT_OK(aclrtResetDevice(device));
    }
  }
  TwoDevices(const TwoDevices&) = delete;
  TwoDevices& operator=(const TwoDevices&) = delete;

  void use(int32_t device) { EXPECT_OK(aclrtSetCurrentContext(contexts_[device])); }
  DeviceBuffer& buffer(int32_t device) { return *buffers_[device]; }
  aclrtStream stream(int32_t device) { return streams_[device]; }

 private:
  aclrtContext contexts_[2] = {};
  aclrtStream streams_[2] = {};
  std::unique_ptr<DeviceBuffer> buffers_[2];
};

}  // namespace conformance::copies
