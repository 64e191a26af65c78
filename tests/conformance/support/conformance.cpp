// SPDX-License-Identifier: Apache-2.0
// The shared parts of the conformance tests.
#include "support/conformance.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <sstream>

namespace conformance {
namespace {

// The function's name in the text of a call: "aclrtMemcpy(dst, ...)" or "(aclrtMemcpy(dst, ...))".
std::string function_in(const char* call_text) {
  std::string text = call_text;
  text.erase(0, text.find_first_not_of("( :"));
  return text.substr(0, text.find_first_of("( "));
}

// Without the prefix FERRY_: the library refuses unknown names that have it.
constexpr const char* kChildMarker = "CONFORMANCE_CHILD";
constexpr const char* kEmulator = "CONFORMANCE_EMULATOR";
// The exit code of a process whose tests passed when the checker found something;
// check_listener.cpp has checked the findings in that process.
constexpr int kHasFindings = 86;

// The program and arguments that run this binary again: for another processor, through the
// emulator, which the kernel would not find by itself.
std::vector<std::string> command_of_this_binary() {
  const char* emulator = std::getenv(kEmulator);
  if (emulator == nullptr) return {"/proc/self/exe"};
  std::istringstream words(emulator);
  std::vector<std::string> command{std::istream_iterator<std::string>(words), {}};
  command.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
  return command;
}

// Waits for the process and returns how it ended; see run_in_process.
int exit_code_of(pid_t child, const std::vector<std::string>& environment) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  const bool checks = is_checked() || std::find(environment.begin(), environment.end(),
                                                "FERRY_CHECK=1") != environment.end();
  return checks && WEXITSTATUS(status) == kHasFindings ? 0 : WEXITSTATUS(status);
}

// Copies the contents of the file to standard output.
void show(int file) {
  char part[4096];
  off_t at = 0;
  for (ssize_t size = 0; (size = pread(file, part, sizeof part, at)) > 0; at += size)
    std::fwrite(part, 1, static_cast<size_t>(size), stdout);
  std::fflush(stdout);
}

}  // namespace

::testing::AssertionResult fails_as(const char* /*code_text*/, const char* /*message_text*/,
                                    const char* call_text, aclError code, const char* message_code,
                                    aclError actual) {
  const std::string text = recent_text();
  if (actual != code) {
    return ::testing::AssertionFailure()
           << call_text << " returned " << actual << ", expected " << code << "; text: " << text;
  }
  const std::string function = function_in(call_text);
  if (text.rfind(function + ": ", 0) != 0) {
    return ::testing::AssertionFailure()
           << "the text does not start with \"" << function << ": \": " << text;
  }
  const std::string ending = std::string("(") + message_code + ")";
  if (*message_code != '\0' &&
      (text.size() < ending.size() ||
       text.compare(text.size() - ending.size(), ending.size(), ending) != 0)) {
    return ::testing::AssertionFailure() << "the text does not end with " << ending << ": " << text;
  }
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult succeeds(const char* call_text, aclError actual) {
  if (actual == ACL_SUCCESS) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << call_text << " returned " << actual << "; text: " << recent_text();
}

void WithDevice::SetUp() {
  ASSERT_OK(aclrtSetDevice(0));
  clear_errors();
}

void WithDevice::TearDown() {
  EXPECT_OK(aclrtResetDevice(0));
}

void WithStream::SetUp() {
  WithDevice::SetUp();
  ASSERT_OK(aclrtCreateStream(&stream_));
}

void WithStream::TearDown() {
  if (stream_ != nullptr) {
    EXPECT_OK(aclrtDestroyStream(stream_));
  }
  WithDevice::TearDown();
}

DeviceBuffer::DeviceBuffer(size_t size) : size_(size) {
  EXPECT_OK(aclrtMalloc(&address_, size, ACL_MEM_MALLOC_HUGE_FIRST));
}

DeviceBuffer::~DeviceBuffer() {
  if (address_ != nullptr) {
    EXPECT_OK(aclrtFree(address_));
  }
}

void DeviceBuffer::write(const std::vector<uint8_t>& bytes, size_t offset) {
  EXPECT_OK(aclrtMemcpy(at(offset), size_ - offset, bytes.data(), bytes.size(),
                        ACL_MEMCPY_HOST_TO_DEVICE));
}

std::vector<uint8_t> DeviceBuffer::read() const {
  return read(0, size_);
}

std::vector<uint8_t> DeviceBuffer::read(size_t offset, size_t count) const {
  std::vector<uint8_t> bytes(count);
  EXPECT_OK(aclrtMemcpy(bytes.data(), count, at(offset), count, ACL_MEMCPY_DEVICE_TO_HOST));
  return bytes;
}

PinnedBuffer::PinnedBuffer(size_t size) : size_(size) {
  EXPECT_OK(aclrtMallocHost(&address_, size));
  if (address_ != nullptr) return;
  substitute_.resize(size);
  address_ = substitute_.data();
}

PinnedBuffer::~PinnedBuffer() {
  if (substitute_.empty()) {
    EXPECT_OK(aclrtFreeHost(address_));
  }
}

void PinnedBuffer::fill(const std::vector<uint8_t>& contents, size_t offset) {
  std::memcpy(bytes() + offset, contents.data(), contents.size());
}

std::vector<uint8_t> PinnedBuffer::copy() const {
  return {bytes(), bytes() + size_};
}

std::vector<uint8_t> pattern(size_t size, uint8_t seed) {
  std::vector<uint8_t> bytes(size);
  uint32_t state = 2166136261u ^ seed;
  for (uint8_t& byte : bytes) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<uint8_t>(state >> 24);
  }
  return bytes;
}

// Shared with the host function, which may still be running when the gate is destroyed.
struct Gate::State {
  std::mutex mutex;  // guards what follows
  std::condition_variable changed;
  bool is_open = false;
  bool is_reached = false;
  int users = 2;  // the gate and its host function

  static void leave(State* state) {
    bool is_last = false;
    {
      const std::lock_guard lock(state->mutex);
      is_last = --state->users == 0;
    }
    if (is_last) delete state;
  }

  static void run(void* argument) {
    auto* state = static_cast<State*>(argument);
    {
      std::unique_lock lock(state->mutex);
      state->is_reached = true;
      state->changed.notify_all();
      state->changed.wait(lock, [&] { return state->is_open; });
    }
    leave(state);
  }
};

Gate::Gate(aclrtStream stream) : state_(new State) {
  const aclError queued = aclrtLaunchHostFunc(stream, State::run, state_);
  EXPECT_EQ(queued, ACL_SUCCESS) << recent_text();
  if (queued != ACL_SUCCESS) state_->users = 1;
}

Gate::~Gate() {
  open();
  State::leave(state_);
}

void Gate::open() {
  const std::lock_guard lock(state_->mutex);
  state_->is_open = true;
  state_->changed.notify_all();
}

void Gate::wait_until_reached() {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [&] { return state_->is_reached; });
}

bool devices_are_real() {
  const char* devices = std::getenv("FERRY_DEVICES");
  return devices == nullptr || std::strncmp(devices, "null", 4) != 0;
}

std::string recent_text() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

void clear_errors() {
  aclGetRecentErrMsg();
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
}

bool is_checked() {
  const char* check = std::getenv("FERRY_CHECK");
  return check != nullptr && std::strcmp(check, "0") != 0;
}

bool is_child() {
  return std::getenv(kChildMarker) != nullptr;
}

int run_in_process(const char* test, const std::vector<std::string>& environment) {
  std::vector<std::string> command = command_of_this_binary();
  command.push_back(std::string("--gtest_filter=") + test);
  command.push_back("--gtest_brief=1");
  std::vector<char*> arguments;
  for (std::string& argument : command)
    arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  // Output of a passed test would only obscure that of a failed one.
  const int output = memfd_create("output of a test", MFD_CLOEXEC);
  const pid_t child = fork();
  if (child == 0) {
    // Owned by the environment from here on.
    for (const std::string& entry : environment)
      putenv(strdup(entry.c_str()));
    setenv(kChildMarker, "1", 1);
    unsetenv("GTEST_TOTAL_SHARDS");  // of the tests of this process
    unsetenv("GTEST_SHARD_INDEX");
    if (output >= 0) dup2(output, STDOUT_FILENO);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  const int code = exit_code_of(child, environment);
  if (code != 0) show(output);
  close(output);
  return code;
}

}  // namespace conformance
