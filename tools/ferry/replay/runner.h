// SPDX-License-Identifier: Apache-2.0
// Executes a plan with AscendCL: its threads, streams, events and calls.
#pragma once

#include "replay/plan.h"
#include "replay/run_memory.h"

#include "acl/acl.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ferry::tools::replay {

/// `memory` and `plan` must live as long as the runner. The calling thread sets the devices.
class Runner {
 public:
  Runner(const Plan& plan, const RunMemory& memory) : plan_(plan), memory_(memory) {}
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Creates streams and events. Returns "", or what failed.
  std::string prepare();
  /// Executes all steps and waits for all devices; `ns` gets how long that took. Returns "", or
  /// what failed; then nothing of the plan is in flight any more.
  std::string run(bool keeps_pauses, double& ns);

 private:
  std::string create_streams();
  std::string create_events();
  std::string enable_peers();
  void lay_out_items();
  std::string synchronize_devices();

  void run_thread(uint32_t thread);
  bool wait_for(uint32_t step) const;
  aclError execute(const Step& step, const char*& function);
  aclError execute_copy(const Step& step, const char*& function);
  aclError execute_batch(const Step& step, const char*& function);
  aclError execute_rows(const Step& step, const char*& function) const;
  aclError execute_fill(const Step& step, const char*& function) const;
  void fail(const std::string& text);

  const Plan& plan_;
  const RunMemory& memory_;
  std::vector<aclrtStream> streams_;
  std::vector<aclrtEvent> events_;
  // Parallel to the items of the plan, as batches want them.
  std::vector<void*> targets_;
  std::vector<void*> sources_;
  std::vector<size_t> sizes_;

  std::vector<std::vector<uint32_t>> of_thread_;  // steps
  std::vector<uint32_t> place_;                   // of each step among those of its thread
  // How many steps each thread has submitted. A thread writes its own with release; others read it
  // with acquire before they submit what must come later.
  std::unique_ptr<std::atomic<uint32_t>[]> submitted_;
  bool keeps_pauses_ = false;
  std::atomic<bool> has_failed_{false};  // threads that wait for another one give up
  std::mutex mutex_;                     // protects failure_
  std::string failure_;                  // the first one
};

}  // namespace ferry::tools::replay
