// SPDX-License-Identifier: Apache-2.0
// Functions of the program that are registered under names, one list per kind.
#pragma once

#include "base/log.h"
#include "base/program_call.h"
#include "base/status.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ferry {

// May be shared between threads. Calling needs no memory and holds no lock: a callback may register
// and remove callbacks.
template <class Function>
class NamedCallbacks {
 public:
  // nullptr removes the callback of that name, if there is one. 107000 when the name is in use.
  Status set(const char* name, Function function, void* argument) {
    const std::lock_guard lock(mutex_);
    const auto has_name = [&](const Entry& entry) { return entry.name == name; };
    if (list_ == nullptr) list_ = std::make_shared<List>();
    const bool is_used = std::any_of(list_->begin(), list_->end(), has_name);
    if (is_used && function != nullptr) {
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "regName", Value::quoted(name))
          .because(", which is in use: remove that callback first, by passing NULL for callback");
    }
    // A list that is being called does not change. Otherwise removing needs no memory.
    if (list_.use_count() > 1 || function != nullptr) list_ = std::make_shared<List>(*list_);
    if (function == nullptr) {
      std::erase_if(*list_, has_name);
    } else {
      list_->push_back({.name = name, .function = function, .argument = argument});
    }
    is_empty_.store(list_->empty(), std::memory_order_release);
    return {};
  }

  // Calls `call(function, argument)` for each callback, in the order of registration, until it
  // returns false. Whatever a callback does instead of returning ends at it; that counts as true.
  template <class Call>
  bool for_each(Call call) const {
    if (is_empty_.load(std::memory_order_acquire)) return true;
    const std::shared_ptr<const List> all = current();
    for (const Entry& entry : *all) {
      bool goes_on = true;
      call_program(
          Called::kOtherwise, Thrown::kEndsHere,
          [&] { goes_on = call(entry.function, entry.argument); },
          [&](const char* instead) {
            if (instead == nullptr) return;
            FERRY_LOG(kError, "the callback \"%s\" did not return: it %s", entry.name.c_str(),
                      instead);
          });
      if (!goes_on) return false;
    }
    return true;
  }

 private:
  struct Entry {
    std::string name;
    Function function = nullptr;
    void* argument = nullptr;
  };
  using List = std::vector<Entry>;

  std::shared_ptr<const List> current() const {
    const std::lock_guard lock(mutex_);
    return list_;
  }

  std::atomic<bool> is_empty_{true};
  mutable std::mutex mutex_;    // guards list_; a list that is being called does not change
  std::shared_ptr<List> list_;  // nullptr until a name is set
};

}  // namespace ferry
