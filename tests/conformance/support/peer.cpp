// SPDX-License-Identifier: Apache-2.0
// Starts, drives and ends a peer.
#include "support/peer.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <sstream>
#include <thread>

namespace conformance {
namespace {

using Clock = std::chrono::steady_clock;

// Far more than any command takes, sanitizers included: a limit for tests that would hang.
constexpr std::chrono::seconds kLimit{60};

// The exit code of a process in which the checker found something.
constexpr int kStatusWithFindings = 86;

std::string program() {
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe");
  return (here.parent_path() / "ferry_peer").string();
}

// The network namespace, and /sys as it is seen there.
bool enter(int network) {
  return setns(network, CLONE_NEWNET) == 0 && unshare(CLONE_NEWNS) == 0 &&
         mount("none", "/", nullptr, MS_SLAVE | MS_REC, nullptr) == 0 &&
         umount2("/sys", MNT_DETACH) == 0 && mount("sysfs", "/sys", "sysfs", 0, nullptr) == 0;
}

// Only functions that a child of a process with threads may call.
[[noreturn]] void become(const char* path, int input, int output, int network, char** environment) {
  if (network >= 0 && !enter(network)) _exit(126);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that crashes leaves nothing behind
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  char name[] = "ferry_peer";
  char* arguments[] = {name, nullptr};
  execve(path, arguments, environment);
  _exit(127);
}

// The environment of this process with some variables set anew.
class Environment {
 public:
  explicit Environment(const std::vector<std::string>& added) : entries_(added) {
    for (char** entry = environ; *entry != nullptr; ++entry) {
      if (!is_replaced(*entry, added)) entries_.emplace_back(*entry);
    }
    for (std::string& entry : entries_)
      pointers_.push_back(entry.data());
    pointers_.push_back(nullptr);
  }
  char** get() { return pointers_.data(); }

 private:
  static bool is_replaced(const char* entry, const std::vector<std::string>& added) {
    const std::string name(entry, std::strcspn(entry, "=") + 1);
    for (const std::string& other : added) {
      if (other.rfind(name, 0) == 0) return true;
    }
    return false;
  }

  std::vector<std::string> entries_;
  std::vector<char*> pointers_;
};

}  // namespace

uint64_t Answer::number(size_t position) const {
  uint64_t value = 0;
  const size_t first = position * sizeof value;
  EXPECT_LE(first + sizeof value, bytes.size());
  if (first + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + first, sizeof value);
  return value;
}

::testing::AssertionResult answers_with(const char* /*code_text*/, const char* answer_text,
                                        aclError code, const Answer& answer) {
  if (answer.code != code) {
    return ::testing::AssertionFailure() << answer_text << " has the code " << answer.code
                                         << ", expected " << code << "; text: " << answer.text;
  }
  if (code != ACL_SUCCESS && answer.text.empty())
    return ::testing::AssertionFailure() << answer_text << " failed as expected, without a text";
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult answers_yes(const char* answer_text, const Answer& answer) {
  if (answer.code != ACL_SUCCESS) {
    return ::testing::AssertionFailure()
           << answer_text << " has the code " << answer.code << "; text: " << answer.text;
  }
  if (answer.number() != 1) return ::testing::AssertionFailure() << answer_text << ": other bytes";
  return ::testing::AssertionSuccess();
}

Peer::Peer(const std::vector<std::string>& environment, const std::string& network) {
  const std::string network_file = "/var/run/netns/" + network;
  const int space = network.empty() ? -1 : open(network_file.c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_TRUE(network.empty() || space >= 0) << "there is no network namespace " << network;
  int input[2] = {-1, -1};
  int output[2] = {-1, -1};
  EXPECT_EQ(0, pipe2(input, O_CLOEXEC));
  EXPECT_EQ(0, pipe2(output, O_CLOEXEC));
  const std::string path = program();
  Environment variables(environment);
  pid_ = fork();
  if (pid_ == 0) become(path.c_str(), input[0], output[1], space, variables.get());
  EXPECT_GT(pid_, 0);
  if (space >= 0) close(space);
  close(input[0]);
  close(output[1]);
  to_ = input[1];
  from_ = output[0];
}

Peer::~Peer() {
  if (is_gone_) return;
  if (::testing::Test::HasFatalFailure()) {
    kill();
  } else {
    EXPECT_EQ(0, end()) << "the other process did not end in order";
  }
}

std::string Peer::hexadecimal(const Bytes& bytes) {
  if (bytes.empty()) return "-";
  std::string text;
  for (const uint8_t byte : bytes) {
    text.push_back("0123456789abcdef"[byte >> 4]);
    text.push_back("0123456789abcdef"[byte & 15]);
  }
  return text;
}

void Peer::write_line(const std::string& line) {
  if (is_gone_) return;
  const std::string all = line + '\n';
  // A peer that was killed from outside must not end this process.
  const auto before = signal(SIGPIPE, SIG_IGN);
  size_t written = 0;
  while (written < all.size()) {
    const ssize_t count = write(to_, all.data() + written, all.size() - written);
    if (count <= 0) break;
    written += static_cast<size_t>(count);
  }
  signal(SIGPIPE, before);
}

bool Peer::read_more(Clock::time_point limit) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit - Clock::now());
  pollfd waiting{from_, POLLIN, 0};
  const int milliseconds = left.count() > 0 ? static_cast<int>(left.count()) : 0;
  if (poll(&waiting, 1, milliseconds) <= 0) return false;
  char part[4096];
  const ssize_t count = read(from_, part, sizeof part);
  if (count <= 0) return false;
  read_.append(part, static_cast<size_t>(count));
  return true;
}

Answer Peer::answer() {
  Answer answer;
  answer.code = kNoAnswer;
  if (is_gone_) {
    answer.text = "the other process is gone";
    return answer;
  }
  const Clock::time_point limit = Clock::now() + kLimit;
  while (read_.find('\n') == std::string::npos) {
    if (read_more(limit)) continue;
    const bool is_late = Clock::now() >= limit;
    kill();
    ADD_FAILURE() << (is_late ? "the other process does not answer"
                              : "the other process has ended");
    return answer;
  }
  const size_t end = read_.find('\n');
  std::istringstream words(read_.substr(0, end));
  read_.erase(0, end + 1);
  std::string bytes;
  words >> answer.code >> bytes;
  std::getline(words >> std::ws, answer.text);
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (size_t i = 0; bytes != "-" && i + 1 < bytes.size(); i += 2)
    answer.bytes.push_back(static_cast<uint8_t>(digit(bytes[i]) << 4 | digit(bytes[i + 1])));
  return answer;
}

bool Peer::has_answered() {
  if (read_.find('\n') == std::string::npos) read_more(Clock::now());
  return read_.find('\n') != std::string::npos;
}

void Peer::close_pipes() {
  close(to_);
  close(from_);
}

int Peer::wait_for_exit() {
  int status = 0;
  const bool is_ours = waitpid(pid_, &status, 0) == pid_;
  is_gone_ = true;
  close_pipes();
  if (!is_ours) return -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void Peer::kill() {
  if (is_gone_) return;
  ::kill(pid_, SIGKILL);
  wait_for_exit();
}

void Peer::stop() const {
  ::kill(pid_, SIGSTOP);
  siginfo_t state{};
  EXPECT_EQ(0, waitid(P_PID, static_cast<id_t>(pid_), &state, WSTOPPED | WNOWAIT));
}

void Peer::resume() const {
  ::kill(pid_, SIGCONT);
}

int Peer::end() {
  if (is_gone_) return -1;
  if (is_checked()) {
    EXPECT_EQ(0u, send("findings").number()) << "the checker reports errors of the other process";
    if (is_gone_) return -1;
  }
  post("exit", 0);
  const Clock::time_point limit = Clock::now() + kLimit;
  while (read_more(limit)) {
  }
  if (Clock::now() >= limit) {
    ADD_FAILURE() << "the other process does not end";
    ::kill(pid_, SIGKILL);
  }
  const int status = wait_for_exit();
  return is_checked() && status == kStatusWithFindings ? 0 : status;
}

bool becomes_true(const std::function<bool()>& condition) {
  const Clock::time_point limit = Clock::now() + kLimit;
  while (!condition()) {
    if (Clock::now() >= limit) return false;
    std::this_thread::yield();
  }
  return true;
}

bool has_peer_program() {
  return std::filesystem::exists(program());
}

}  // namespace conformance
