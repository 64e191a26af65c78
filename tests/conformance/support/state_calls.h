// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of callbacks that are registered under names: notes the calls, and removes
// the callback at the end of the test.
#pragma once

#include "support/streams.h"

#include <string>
#include <vector>

namespace conformance::state_calls {

// One callback of the type `void (Object, State, void*)`.
template <auto kRegister, class Object, class State>
class Noted {
 public:
  struct Call {
    Object object;
    State state;
    std::thread::id thread;
  };

  explicit Noted(const char* name) : name_(name) { EXPECT_OK(kRegister(name, note, this)); }
  ~Noted() { remove(); }
  Noted(const Noted&) = delete;
  Noted& operator=(const Noted&) = delete;

  void remove() { EXPECT_OK(kRegister(name_.c_str(), nullptr, nullptr)); }
  std::vector<Call> calls;

 private:
  static void note(Object object, State state, void* self) {
    static_cast<Noted*>(self)->calls.push_back({object, state, std::this_thread::get_id()});
  }

  std::string name_;
};

using NotedStreams = Noted<aclrtRegStreamStateCallback, aclrtStream, aclrtStreamState>;
using NotedDevices = Noted<aclrtRegDeviceStateCallback, int32_t, aclrtDeviceState>;

}  // namespace conformance::state_calls
