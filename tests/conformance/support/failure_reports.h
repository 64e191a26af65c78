// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of aclrtSetExceptionInfoCallback and of the functions that read a report: a
// callback that reads one field of every report. Header only; one at a time per process.
#pragma once

#include "support/devices.h"

#include <mutex>
#include <vector>

namespace conformance {

class FailureReports {
 public:
  using Reader = uint32_t (*)(const aclrtExceptionInfo*);

  struct Report {
    uint32_t value = 0;
    uint32_t on_other_thread = 0;  // the same field, read by a thread outside the callback
    aclrtExceptionInfo* info = nullptr;
    std::thread::id thread;
  };

  explicit FailureReports(Reader reader) {
    shared().reader = reader;
    shared().reports.clear();
    EXPECT_OK(aclrtSetExceptionInfoCallback(note));
  }
  ~FailureReports() { EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr)); }
  FailureReports(const FailureReports&) = delete;
  FailureReports& operator=(const FailureReports&) = delete;

  static std::vector<Report> all() {
    const std::lock_guard lock(shared().mutex);
    return shared().reports;
  }

 private:
  struct Shared {
    std::mutex mutex;  // guards `reports`
    std::vector<Report> reports;
    Reader reader = nullptr;
  };
  static Shared& shared() {
    static Shared shared;
    return shared;
  }
  static void note(aclrtExceptionInfo* info) {
    Report report;
    report.value = shared().reader(info);
    on_new_thread([&] { report.on_other_thread = shared().reader(info); });
    report.info = info;
    report.thread = std::this_thread::get_id();
    const std::lock_guard lock(shared().mutex);
    shared().reports.push_back(report);
  }
};

constexpr uint32_t kNoReport = 0xFFFFFFFF;

// Makes one task fail on a stream and returns the report about it.
inline FailureReports::Report report_of_failure(FailureReports::Reader reader, aclrtStream stream) {
  const FailureReports reports(reader);
  BadCopy copy;
  copy.queue(stream);
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream));
  clear_errors();
  EXPECT_EQ(1u, FailureReports::all().size());
  return FailureReports::all().empty() ? FailureReports::Report() : FailureReports::all().front();
}

// Checks that a reader accepts a report only during its callback, on the callback's thread.
inline void expect_read_in_callback_only(FailureReports::Reader reader, aclrtStream stream) {
  const FailureReports::Report report = report_of_failure(reader, stream);
  EXPECT_NE(kNoReport, report.value);
  EXPECT_EQ(kNoReport, report.on_other_thread);
  EXPECT_EQ(kNoReport, reader(report.info));
  on_new_thread([&] { EXPECT_EQ(kNoReport, reader(report.info)); });
}

// Checks that a reader survives invalid reports.
inline void expect_no_report(FailureReports::Reader reader) {
  uint64_t variable[16] = {};
  EXPECT_EQ(kNoReport, reader(nullptr));
  EXPECT_EQ(kNoReport, reader(reinterpret_cast<aclrtExceptionInfo*>(variable)));
  EXPECT_EQ(kNoReport, reader(reinterpret_cast<aclrtExceptionInfo*>(uintptr_t{1})));
  EXPECT_EQ(kNoReport, reader(reinterpret_cast<aclrtExceptionInfo*>(~uintptr_t{0})));
}

}  // namespace conformance
