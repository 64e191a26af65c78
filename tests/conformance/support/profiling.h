// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of profiling: a session that ends itself, a configuration, a stamp, and what
// was recorded since the test began. Header only.
#pragma once

#include "support/conformance.h"

#include "acl/acl_prof.h"
#include "ferry/ferry.h"

#include <cstring>
#include <utility>

namespace conformance::profiling {

// Nothing can be written there: these tests are about what the functions return. tests/trace_files
// reads what sessions trace.
constexpr const char* kPath = "/proc/ferry/profile";

inline aclError open_session() {
  return aclprofInit(kPath, std::strlen(kPath));
}

// Not copyable.
class Config {
 public:
  explicit Config(uint64_t types = ACL_PROF_MSPROFTX | ACL_PROF_ACL_API,
                  std::vector<uint32_t> devices = {0},
                  aclprofAicoreMetrics metrics = ACL_AICORE_NONE)
      : handle_(aclprofCreateConfig(devices.data(), static_cast<uint32_t>(devices.size()), metrics,
                                    nullptr, types)) {
    EXPECT_NE(handle_, nullptr) << recent_text();
  }
  ~Config() {
    if (handle_ != nullptr) {
      EXPECT_OK(aclprofDestroyConfig(handle_));
    }
  }
  Config(const Config&) = delete;
  Config& operator=(const Config&) = delete;

  aclprofConfig* get() const { return handle_; }
  aclprofConfig* release() { return std::exchange(handle_, nullptr); }

 private:
  aclprofConfig* handle_;
};

// Starts profiling with marks, ends it at the end of the test.
class Session {
 public:
  explicit Session(uint64_t types = ACL_PROF_MSPROFTX | ACL_PROF_ACL_API) : config_(types) {
    EXPECT_OK(open_session());
    EXPECT_OK(aclprofStart(config_.get()));
  }
  ~Session() { EXPECT_OK(aclprofFinalize()); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  aclprofConfig* config() const { return config_.get(); }

 private:
  Config config_;
};

class Stamp {
 public:
  explicit Stamp(const char* text = "") : handle_(aclprofCreateStamp()) {
    EXPECT_OK(aclprofSetStampTraceMessage(handle_, text, static_cast<uint32_t>(strlen(text))));
  }
  ~Stamp() { aclprofDestroyStamp(handle_); }
  Stamp(const Stamp&) = delete;
  Stamp& operator=(const Stamp&) = delete;

  void* get() const { return handle_; }

 private:
  void* handle_;
};

inline void* destroyed_stamp() {
  const Stamp stamp;
  return stamp.get();
}

// What is not NULL and no stamp either.
inline std::vector<void*> no_stamps() {
  static int something = 0;
  return {destroyed_stamp(), &something, reinterpret_cast<void*>(~uintptr_t{0})};
}

// What is recorded from its construction on.
class Recorded {
 public:
  std::vector<ferryRecordedMark> marks() const {
    std::vector<ferryRecordedMark> all;
    for (uint64_t index = first_; index < ferryMarkCount(); ++index) {
      ferryRecordedMark mark{};
      mark.structSize = sizeof mark;
      EXPECT_OK(ferryGetMark(index, &mark));
      all.push_back(mark);
    }
    return all;
  }
  // Kinds and names, such as "3 outer".
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const ferryRecordedMark& mark : marks())
      all.push_back(std::to_string(mark.kind) + " " + mark.name);
    return all;
  }

 private:
  uint64_t first_ = ferryMarkCount();
};

using Texts = std::vector<std::string>;

}  // namespace conformance::profiling
