// SPDX-License-Identifier: Apache-2.0
// The lists of callbacks, and calling them.
#include "core/state_callbacks.h"

#include "base/never_destroyed.h"
#include "core/stream.h"

namespace ferry {

namespace {

template <class Function>
NamedCallbacks<Function>& callbacks() {
  static NeverDestroyed<NamedCallbacks<Function>> list;
  return *list;
}

}  // namespace

NamedCallbacks<aclrtStreamStateCallback>& stream_state_callbacks() {
  return callbacks<aclrtStreamStateCallback>();
}

NamedCallbacks<aclrtDeviceStateCallback>& device_state_callbacks() {
  return callbacks<aclrtDeviceStateCallback>();
}

void tell_stream_state(const Stream& stream, aclrtStreamState state) {
  stream_state_callbacks().for_each([&](aclrtStreamStateCallback call, void* argument) {
    call(stream.handle(), state, argument);
    return true;
  });
}

void tell_device_state(int32_t device, aclrtDeviceState state) {
  device_state_callbacks().for_each([&](aclrtDeviceStateCallback call, void* argument) {
    call(device, state, argument);
    return true;
  });
}

}  // namespace ferry
