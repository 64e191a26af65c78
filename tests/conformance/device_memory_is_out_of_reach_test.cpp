// SPDX-License-Identifier: Apache-2.0
// The host cannot read or write device memory: such an access faults, and one line on standard
// error says what was touched before the program's handler or the default action runs.
#include "support/captured_process.h"
#include "support/device_allocator.h"
#include "support/host_pages.h"
#include "support/needs.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace conformance::memory::device_memory_is_out_of_reach_test {
namespace {

// ---- in the process that touches ----

// Writes to standard error in an order that shows which thread wrote first.
void say(const char* text) {
  const size_t length = std::strlen(text);
  EXPECT_EQ(write(STDERR_FILENO, text, length), static_cast<ssize_t>(length));
}

// Removes a sanitizer's handlers, and disables core dumps.
void set_default_action() {
  std::signal(SIGSEGV, SIG_DFL);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

void install(void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  sigaction(SIGSEGV, &action, nullptr);
}

// Prints the address for the parent first.
void announce(const volatile void* address) {
  char text[64];
  std::snprintf(text, sizeof text, "touch %p\n", const_cast<const void*>(address));
  say(text);
}

void read_byte(const volatile void* address) {
  announce(address);
  static_cast<void>(*static_cast<const volatile char*>(address));
}

void write_byte(volatile void* address) {
  announce(address);
  *static_cast<volatile char*>(address) = 1;
}

char* device_memory(size_t size) {
  void* address = nullptr;
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtMalloc(&address, size, kAnyPolicy));
  return static_cast<char*>(address);
}

const volatile void* expected_address = nullptr;
sigjmp_buf after_fault;

void end_with_42(int, siginfo_t* info, void*) {
  say(info->si_addr == const_cast<const void*>(expected_address) ? "handler\n" : "wrong address\n");
  _exit(42);
}

void end_with_43(int) {
  say("handler\n");
  _exit(43);
}

void jump_back(int, siginfo_t*, void*) {
  say("handler\n");
  siglongjmp(after_fault, 1);
}

// ---- in the process that checks ----

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// The line after "touch ADDRESS" must name that address and say what it is.
void expect_explained(const std::vector<std::string>& lines, size_t touch, const char* what) {
  ASSERT_GT(lines.size(), touch + 1);
  ASSERT_EQ(lines[touch].rfind("touch 0x", 0), 0u) << lines[touch];
  const std::string address = lines[touch].substr(std::strlen("touch "));
  EXPECT_NE(lines[touch + 1].find(address), std::string::npos) << lines[touch + 1];
  EXPECT_NE(lines[touch + 1].find(what), std::string::npos) << lines[touch + 1];
}

// Expects the default action, after exactly one line.
void expect_killed_after_one_line(const char* what) {
  const EndedProcess ended = run_this_test_apart();
  EXPECT_EQ(ended.status, 128 + SIGSEGV);
  const std::vector<std::string> lines = lines_of(ended.standard_error);
  EXPECT_EQ(lines.size(), 2u) << ended.standard_error;
  expect_explained(lines, 0, what);
}

TEST(DeviceMemoryIsOutOfReach, AReadEndsTheProcessAfterOneLine) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  if (!is_child()) return expect_killed_after_one_line("device 0");
  set_default_action();
  read_byte(device_memory(100));
}

TEST(DeviceMemoryIsOutOfReach, AWriteEndsTheProcessAfterOneLine) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  if (!is_child()) return expect_killed_after_one_line("device 0");
  set_default_action();
  write_byte(device_memory(5000) + 4999);
}

TEST(DeviceMemoryIsOutOfReach, FreedMemoryStaysOutOfReach) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  if (!is_child()) return expect_killed_after_one_line("device");
  set_default_action();
  char* address = device_memory(100);
  EXPECT_OK(aclrtFree(address));
  read_byte(address);
}

TEST(DeviceMemoryIsOutOfReach, TheAddressBehindAnAllocationIsExplainedToo) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  if (!is_child()) return expect_killed_after_one_line("device");
  set_default_action();
  read_byte(device_memory(4096) + (1 << 20));
}

TEST(DeviceMemoryIsOutOfReach, MemoryThatWasCopiedToIsStillOutOfReach) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  if (!is_child()) return expect_killed_after_one_line("device 0");
  set_default_action();
  char* address = device_memory(100);
  const std::vector<uint8_t> bytes = pattern(100);
  EXPECT_OK(aclrtMemcpy(address, 100, bytes.data(), 100, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemset(address, 100, 1, 100));
  EXPECT_OK(aclrtSynchronizeDevice());
  read_byte(address);
}

TEST(DeviceMemoryIsOutOfReach, AnotherThreadCannotReachItEither) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  if (!is_child()) return expect_killed_after_one_line("device 0");
  set_default_action();
  char* address = device_memory(100);
  on_new_thread([&] { write_byte(address); });
}

TEST(DeviceMemoryIsOutOfReach, AProcessWithTwoDevicesIsToldWhich) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  if (!is_child()) {
    const EndedProcess ended = run_this_test_apart({"FERRY_DEVICES=cpu:2"});
    EXPECT_EQ(ended.status, 128 + SIGSEGV);
    return expect_explained(lines_of(ended.standard_error), 0, "device 1");
  }
  set_default_action();
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtSetDevice(1));
  void* address = nullptr;
  EXPECT_OK(aclrtMalloc(&address, 100, kAnyPolicy));
  read_byte(address);
}

TEST(DeviceMemoryIsOutOfReach, TheDevicePointerOfRegisteredMemoryIsToo) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  if (!is_child()) return expect_killed_after_one_line("registered");
  set_default_action();
  EXPECT_OK(aclrtSetDevice(0));
  const HostPages pages;
  void* mapped = nullptr;
  EXPECT_OK(aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
  read_byte(static_cast<char*>(mapped) + 100);
}

TEST(DeviceMemoryIsOutOfReach, ADevicePointerThatWasUnregisteredStaysOutOfReach) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  if (!is_child()) return expect_killed_after_one_line("device");
  set_default_action();
  EXPECT_OK(aclrtSetDevice(0));
  const HostPages pages;
  void* mapped = nullptr;
  EXPECT_OK(aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
  write_byte(mapped);
}

TEST(DeviceMemoryIsOutOfReach, AHandlerOfTheProgramRunsAfterTheLine) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  if (!is_child()) {
    const EndedProcess ended = run_this_test_apart();
    EXPECT_EQ(ended.status, 42);
    const std::vector<std::string> lines = lines_of(ended.standard_error);
    ASSERT_EQ(lines.size(), 3u) << ended.standard_error;
    expect_explained(lines, 0, "device 0");
    EXPECT_EQ(lines[2], "handler");
    return;
  }
  install(end_with_42, 0);
  expected_address = device_memory(100) + 7;
  read_byte(expected_address);
}

TEST(DeviceMemoryIsOutOfReach, AHandlerOfTheOldFormRunsAfterTheLine) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  if (!is_child()) {
    const EndedProcess ended = run_this_test_apart();
    EXPECT_EQ(ended.status, 43);
    const std::vector<std::string> lines = lines_of(ended.standard_error);
    ASSERT_EQ(lines.size(), 3u) << ended.standard_error;
    expect_explained(lines, 0, "device 0");
    EXPECT_EQ(lines[2], "handler");
    return;
  }
  std::signal(SIGSEGV, end_with_43);
  write_byte(device_memory(100));
}

TEST(DeviceMemoryIsOutOfReach, AProgramThatRecoversGoesOnAndIsToldEachTime) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  if (!is_child()) {
    const EndedProcess ended = run_this_test_apart();
    EXPECT_EQ(ended.status, 0);
    const std::vector<std::string> lines = lines_of(ended.standard_error);
    ASSERT_EQ(lines.size(), 6u) << ended.standard_error;
    for (const size_t touch : {size_t{0}, size_t{3}}) {
      expect_explained(lines, touch, "device 0");
      EXPECT_EQ(lines[touch + 2], "handler");
    }
    return;
  }
  install(jump_back, 0);
  char* address = device_memory(100);
  for (int round = 0; round < 2; ++round) {
    if (sigsetjmp(after_fault, 1) == 0) {
      read_byte(address);
      ADD_FAILURE() << "the access did not fault";
    }
  }
  std::vector<uint8_t> back(100);
  const std::vector<uint8_t> bytes = pattern(100);
  EXPECT_OK(aclrtMemcpy(address, 100, bytes.data(), 100, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemcpy(back.data(), 100, address, 100, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(back, bytes);
  EXPECT_OK(aclrtFree(address));
}

TEST(DeviceMemoryIsOutOfReach, AHandlerInstalledLaterRuns) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  if (!is_child()) {
    const EndedProcess ended = run_this_test_apart();
    EXPECT_EQ(ended.status, 42);
    EXPECT_EQ(lines_of(ended.standard_error).back(), "handler");
    return;
  }
  expected_address = device_memory(100);
  install(end_with_42, 0);
  read_byte(expected_address);
}

TEST(DeviceMemoryIsOutOfReach, OtherFaultsAreLeftToTheProgram) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  if (!is_child()) {
    const EndedProcess ended = run_this_test_apart();
    EXPECT_EQ(ended.status, 42);
    const std::vector<std::string> lines = lines_of(ended.standard_error);
    ASSERT_EQ(lines.size(), 2u) << ended.standard_error;
    EXPECT_EQ(lines[1], "handler");
    return;
  }
  install(end_with_42, 0);
  device_memory(100);
  const HostPages pages;
  // The next page is inaccessible.
  expected_address = pages.bytes() + pages.size();
  read_byte(expected_address);
}

TEST(DeviceMemoryIsOutOfReach, OtherFaultsEndTheProcessWithoutALine) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  if (!is_child()) {
    const EndedProcess ended = run_this_test_apart();
    EXPECT_EQ(ended.status, 128 + SIGSEGV);
    EXPECT_EQ(lines_of(ended.standard_error).size(), 1u) << ended.standard_error;
    return;
  }
  set_default_action();
  device_memory(100);
  const HostPages pages;
  read_byte(pages.bytes() + pages.size());
}

TEST(DeviceMemoryIsOutOfReach, TheSystemRefusesItToo) {
  NEEDS_CPU_DEVICE("only accesses to its memory are explained");
  ASSERT_OK(aclrtSetDevice(0));
  {
    const DeviceBuffer device(100);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    EXPECT_EQ(write(ends[1], device.get(), 1), -1);
    EXPECT_EQ(errno, EFAULT);
    ASSERT_EQ(write(ends[1], "x", 1), 1);
    EXPECT_EQ(read(ends[0], device.get(), 1), -1);
    EXPECT_EQ(errno, EFAULT);
    close(ends[0]);
    close(ends[1]);
  }
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace conformance::memory::device_memory_is_out_of_reach_test
