// SPDX-License-Identifier: Apache-2.0
// The calls of a random sequence that export memory and import it for another device.
#include "sequence.h"

#include <unistd.h>

#include <chrono>
#include <thread>

namespace stress::virtual_memory {

void Sequence::export_memory() {
  const Handle handle = any_handle();
  const bool has_output = !one_in(25);
  const uint64_t flags = one_in(20) ? 2 : one_in(3) ? 0 : 1;
  uint64_t number = 0;
  uint64_t* const output = has_output ? &number : nullptr;
  const aclError expected = model_.export_memory(handle.value, flags, has_output);
  const bool is_first_version = one_in(2);
  const aclError code =
      is_first_version
          ? aclrtMemExportToShareableHandle(handle.value, ACL_MEM_HANDLE_TYPE_NONE, flags, output)
          : aclrtMemExportToShareableHandleV2(handle.value, flags,
                                              ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, output);
  const std::string name = "n" + std::to_string(numbers_.size());
  if (code == kOk) numbers_.push_back(number);
  const std::string where = !has_output ? "nullptr" : expected == kOk ? "&" + name : "&flag";
  const std::string flag = std::to_string(flags);
  expect(expected, code,
         is_first_version ? "aclrtMemExportToShareableHandle(" + handle.text +
                                ", ACL_MEM_HANDLE_TYPE_NONE, " + flag + ", " + where + ")"
                          : "aclrtMemExportToShareableHandleV2(" + handle.text + ", " + flag +
                                ", ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, " + where + ")");
  if (code == kOk) model_.exported(handle.value, flags, number);
}

void Sequence::list_pid() {
  const Named<uint64_t> number = any_number();
  if (model_.is_import_left_open(number.value)) return;
  const bool has_own_pid = !one_in(4);
  const bool has_pid = !one_in(25);
  int32_t pid = has_own_pid ? getpid() : 1;
  statements_.push_back(has_own_pid ? "pid = getpid();" : "pid = 1;");
  const aclError expected = model_.list(number.value, has_own_pid, has_pid);
  expect(expected, aclrtMemSetPidToShareableHandle(number.value, has_pid ? &pid : nullptr, 1),
         "aclrtMemSetPidToShareableHandle(" + number.text +
             (has_pid ? ", &pid, 1)" : ", nullptr, 1)"));
}

void Sequence::import() {
  const Named<uint64_t> number = any_number();
  if (model_.is_import_left_open(number.value)) return;
  const bool has_output = !one_in(25);
  const int32_t device = one_in(25) ? 7 : static_cast<int32_t>(pick(kDevices));
  aclrtDrvMemHandle handle = nullptr;
  const aclError expected = model_.import(number.value, device, has_output);
  const auto on = static_cast<uint32_t>(device);
  const aclrtDrvMemHandle known = expected == kOk ? model_.import_again(number.value, on) : nullptr;
  const aclError code =
      aclrtMemImportFromShareableHandle(number.value, device, has_output ? &handle : nullptr);
  const bool is_new = expected == kOk && known == nullptr;
  const std::string name = is_new ? "&h" + std::to_string(handles_.size()) : "&none";
  if (code == kOk && is_new) handles_.push_back(handle);
  expect(expected, code,
         "aclrtMemImportFromShareableHandle(" + number.text + ", " + std::to_string(device) + ", " +
             (has_output ? name : "nullptr") + ")");
  if (code != kOk) return;
  if (known != nullptr && handle != known) fail("another handle than that of the first import");
  if (is_new && model_.memory(handle) != nullptr) fail("the handle is in use");
  model_.imported(number.value, on, handle);
}

void Sequence::wait_for_memory() {
  if (!model_.has_ended_an_import()) return;
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (uint32_t device = 0; device < kDevices; ++device) {
    size_t free = 0;
    size_t total = 0;
    aclrtSetCurrentContext(surroundings_.contexts[device]);
    while (aclrtGetMemInfo(ACL_HBM_MEM, &free, &total) == kOk && free < model_.free_bytes(device) &&
           std::chrono::steady_clock::now() < limit)
      std::this_thread::yield();
  }
  aclrtSetCurrentContext(surroundings_.contexts[0]);
}

}  // namespace stress::virtual_memory
