// SPDX-License-Identifier: Apache-2.0
// What exported memory and exported notifies have in common: which processes may open the object,
// and how many of them hold it.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "sharing/exchange.h"
#include "sharing/visit.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <set>
#include <type_traits>

namespace ferry {

// Which processes may open an object: those on a list, or all of the user.
enum class ShareAccess { kListed, kEverybody };

// May be shared between threads.
class SharedObject : public sharing::Offer {
 public:
  struct Terms {
    sharing::Kind kind;
    ShareAccess access;
    aclError code_when_gone;       // for processes that come too late
    const char* function_to_list;  // which names processes, for texts
  };
  explicit SharedObject(const Terms& terms) : terms_(terms) {}

  // Adds to the list; pids of 0 are skipped. 207006 when there is no list, 507899 when all are 0,
  // 107000 when the list would become longer than `most`.
  Status allow(const int32_t* pids, size_t count, size_t most);

  // From now on no process can open it. Whether none holds it: otherwise unused() is called later.
  bool retire();

  sharing::Kind kind() const final { return terms_.kind; }
  sharing::Answer open(const sharing::Visitor& visitor) final;
  void closed() final;

 private:
  // What the visitor gets.
  virtual sharing::Answer show(const sharing::Visitor& visitor) = 0;
  // It was retired, and the last process that held it has let go of it.
  virtual void unused() = 0;

  const Terms terms_;
  std::mutex mutex_;  // protects what follows
  std::set<int32_t> allowed_;
  bool is_retired_ = false;
  uint64_t holders_ = 0;
};

// The error of a visit that has not opened anything; `unknown` is the code for an object that no
// process offers.
Status fail_visit(const char* argument, const sharing::Visit& visit, aclError unknown);

// Lets a device copy to and from the device of an exporter, by its logical number, if this program
// sees it.
Status enable_peer_of(Device& device, int32_t logical_id);

// Copies a structure to and from the facts of an answer.
template <class T>
void write_facts(const T& from, sharing::Facts& facts) {
  static_assert(sizeof from <= sizeof facts && std::is_trivially_copyable_v<T>);
  std::memcpy(facts.data(), &from, sizeof from);
}
template <class T>
T read_facts(const sharing::Facts& facts) {
  T to;
  static_assert(sizeof to <= sizeof facts && std::is_trivially_copyable_v<T>);
  std::memcpy(&to, facts.data(), sizeof to);
  return to;
}

}  // namespace ferry
