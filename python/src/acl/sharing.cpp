// SPDX-License-Identifier: Apache-2.0
// acl.rt: memory, events and notifies of other processes. Keys are str, the fixed-size handles of
// events and fabric memory are bytes. pyACL has no functions for events.
#include "binding.h"
#include "chapters.h"
#include "structures.h"
#include "text.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace ferry::python {
namespace {

constexpr size_t kKeyBytes = 65;  // every key fits, with its final zero

// ---- conversions ----

template <typename Structure>
nb::bytes raw_bytes_of(const Structure& structure, aclError code) {
  return code == ACL_SUCCESS ? nb::bytes(&structure, sizeof structure) : nb::bytes("", 0);
}

template <typename Structure>
Structure structure_of(const nb::bytes& bytes, const char* name) {
  Structure structure{};
  if (bytes.size() != sizeof structure) {
    PyErr_Format(PyExc_ValueError, "%s has %zu bytes, allowed is %zu", name, bytes.size(),
                 sizeof structure);
    throw nb::python_error();
  }
  std::memcpy(&structure, bytes.data(), sizeof structure);
  return structure;
}

// Calls `get_key` with room for a key and at most the length that the program gave.
template <typename GetKey>
nb::tuple key_from(Number<size_t> length, const GetKey& get_key) {
  std::array<char, kKeyBytes + 1> key{};
  const aclError code =
      unlocked([&] { return get_key(key.data(), std::min(length.value, kKeyBytes)); });
  return nb::make_tuple(text_of(code == ACL_SUCCESS ? key.data() : ""), code);
}

// ---- shareable handles ----

// A shareable handle of the second form: an int, or for the type FABRIC the bytes of its structure.
class AnyHandle {
 public:
  AnyHandle(const nb::object& object, Number<int32_t> type) : type_(type.value) {
    if (!is_fabric()) {
      number_ = number_of<uint64_t>(object, "shareable_handle");
      return;
    }
    if (PyBytes_Check(object.ptr()) == 0) {
      PyErr_Format(PyExc_TypeError, "shareable_handle of type 2 must be bytes, not %s",
                   Py_TYPE(object.ptr())->tp_name);
      throw nb::python_error();
    }
    fabric_ = structure_of<aclrtMemFabricHandle>(nb::borrow<nb::bytes>(object), "shareable_handle");
  }
  explicit AnyHandle(Number<int32_t> type) : type_(type.value) {}

  aclrtMemSharedHandleType type() const { return static_cast<aclrtMemSharedHandleType>(type_); }
  void* data() { return is_fabric() ? static_cast<void*>(&fabric_) : &number_; }
  nb::object result(aclError code) const {
    if (is_fabric()) return raw_bytes_of(fabric_, code);
    return nb::int_(code == ACL_SUCCESS ? number_ : 0);
  }

 private:
  bool is_fabric() const { return type_ == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC; }

  int32_t type_;
  uint64_t number_ = 0;
  aclrtMemFabricHandle fabric_{};
};

nb::tuple export_to_handle_v2(Address handle, Number<uint64_t> flags, Number<int32_t> type) {
  AnyHandle shareable(type);
  const aclError code = unlocked([&] {
    return aclrtMemExportToShareableHandleV2(pointer_of<void>(handle), flags.value,
                                             shareable.type(), shareable.data());
  });
  return nb::make_tuple(shareable.result(code), code);
}

std::tuple<uintptr_t, aclError> import_from_handle_v2(const nb::object& object,
                                                      Number<int32_t> type,
                                                      Number<uint64_t> flags) {
  AnyHandle shareable(object, type);
  aclrtDrvMemHandle handle = nullptr;
  const aclError code = unlocked([&] {
    return aclrtMemImportFromShareableHandleV2(shareable.data(), shareable.type(), flags.value,
                                               &handle);
  });
  return {to_python(handle), code};
}

aclError set_pid_to_handle(Number<uint64_t> shareable, const nb::object& list) {
  std::vector<int32_t> pids = pids_of(Sequence(list, "pids"));
  return unlocked(
      [&] { return aclrtMemSetPidToShareableHandle(shareable.value, pids.data(), pids.size()); });
}

aclError set_pid_to_handle_v2(const nb::object& object, Number<int32_t> type,
                              const nb::object& list) {
  AnyHandle shareable(object, type);
  std::vector<int32_t> pids = pids_of(Sequence(list, "pids"));
  return unlocked([&] {
    return aclrtMemSetPidToShareableHandleV2(shareable.data(), shareable.type(), pids.data(),
                                             pids.size());
  });
}

void add_shareable_handles(nb::module_& rt) {
  bind_outputs_last<aclrtMemExportToShareableHandle>(
      rt, "mem_export_to_shareable_handle",
      "(handle: int, handle_type: int, flags: int, /) -> tuple[int, int]",
      "A number with which other processes import physical memory; flags: 1 for every process "
      "(aclrtMemExportToShareableHandle).");
  define(rt, "mem_set_pid_to_shareable_handle",
         "(shareable_handle: int, pids: list[int], /) -> int",
         "Adds processes that may import it (aclrtMemSetPidToShareableHandle).", set_pid_to_handle);
  bind_outputs_last<aclrtMemImportFromShareableHandle>(
      rt, "mem_import_from_shareable_handle",
      "(shareable_handle: int, device_id: int, /) -> tuple[int, int]",
      "Imports physical memory of another process (aclrtMemImportFromShareableHandle).");
  define(rt, "mem_export_to_shareable_handle_v2",
         "(handle: int, flags: int, share_type: int, /) -> tuple[int | bytes, int]",
         "mem_export_to_shareable_handle; share_type: 1 an int, 2 128 bytes "
         "(aclrtMemExportToShareableHandleV2).",
         export_to_handle_v2);
  define(rt, "mem_set_pid_to_shareable_handle_v2",
         "(shareable_handle: int | bytes, share_type: int, pids: list[int], /) -> int",
         "mem_set_pid_to_shareable_handle for both types (aclrtMemSetPidToShareableHandleV2).",
         set_pid_to_handle_v2);
  define(rt, "mem_import_from_shareable_handle_v2",
         "(shareable_handle: int | bytes, share_type: int, flags: int, /) -> tuple[int, int]",
         "Imports on the thread's device; flags is 0 (aclrtMemImportFromShareableHandleV2).",
         import_from_handle_v2);
}

// ---- keys of device memory ----

nb::tuple ipc_mem_get_export_key(Address pointer, Number<size_t> size, Number<size_t> length,
                                 Number<uint64_t> flags) {
  return key_from(length, [&](char* key, size_t room) {
    return aclrtIpcMemGetExportKey(pointer_of<void>(pointer), size.value, key, room, flags.value);
  });
}

aclError ipc_mem_set_import_pid(const std::string& key, const nb::object& list) {
  std::vector<int32_t> pids = pids_of(Sequence(list, "pids"));
  return unlocked([&] { return aclrtIpcMemSetImportPid(key.c_str(), pids.data(), pids.size()); });
}

aclError ipc_mem_import_pid_inter_server(const std::string& key, const nb::object& list) {
  ServerPids servers(list);
  return unlocked(
      [&] { return aclrtIpcMemImportPidInterServer(key.c_str(), servers.data(), servers.size()); });
}

aclError ipc_mem_set_attr(const std::string& key, Number<int32_t> type, Number<uint64_t> attr) {
  return unlocked(
      [&] { return aclrtIpcMemSetAttr(key.c_str(), to_c<aclrtIpcMemAttrType>(type), attr.value); });
}

std::tuple<uintptr_t, aclError> ipc_mem_import_by_key(const std::string& key,
                                                      Number<uint64_t> flags) {
  void* pointer = nullptr;
  const aclError code =
      unlocked([&] { return aclrtIpcMemImportByKey(&pointer, key.c_str(), flags.value); });
  return {to_python(pointer), code};
}

aclError ipc_mem_close(const std::string& key) {
  return unlocked([&] { return aclrtIpcMemClose(key.c_str()); });
}

void add_memory_keys(nb::module_& rt) {
  define(rt, "ipc_mem_get_export_key",
         "(ptr: int, size: int, len: int, flags: int, /) -> tuple[str, int]",
         "A key with which other processes import device memory; len is 65, flags: 1 for every "
         "process\n(aclrtIpcMemGetExportKey).",
         ipc_mem_get_export_key);
  define(rt, "ipc_mem_set_import_pid", "(key: str, pids: list[int], /) -> int",
         "Adds processes that may import a key (aclrtIpcMemSetImportPid).", ipc_mem_set_import_pid);
  define(rt, "ipc_mem_import_pid_inter_server",
         "(key: str, server_pids: list[dict[str, Any]], /) -> int",
         "Adds processes of several servers, {\"sdid\": 0, \"pid\": [1, 2]}, on A3 products\n"
         "(aclrtIpcMemImportPidInterServer).",
         ipc_mem_import_pid_inter_server);
  define(rt, "ipc_mem_set_attr", "(key: str, type: int, attr: int, /) -> int",
         "Chooses the link to the memory of a key, on A3 products (aclrtIpcMemSetAttr).",
         ipc_mem_set_attr);
  define(rt, "ipc_mem_import_by_key", "(key: str, flags: int, /) -> tuple[int, int]",
         "Imports device memory; flags: 1 enables peer access (aclrtIpcMemImportByKey).",
         ipc_mem_import_by_key);
  define(rt, "ipc_mem_close", "(key: str, /) -> int",
         "Undoes an import, or else the export of a key (aclrtIpcMemClose).", ipc_mem_close);
}

// ---- events and notifies ----

nb::tuple ipc_get_event_handle(Address event) {
  aclrtIpcEventHandle handle{};
  const aclError code =
      unlocked([&] { return aclrtIpcGetEventHandle(pointer_of<void>(event), &handle); });
  return nb::make_tuple(raw_bytes_of(handle, code), code);
}

std::tuple<uintptr_t, aclError> ipc_open_event_handle(const nb::bytes& bytes) {
  const auto handle = structure_of<aclrtIpcEventHandle>(bytes, "handle");
  aclrtEvent event = nullptr;
  const aclError code = unlocked([&] { return aclrtIpcOpenEventHandle(handle, &event); });
  return {to_python(event), code};
}

nb::tuple notify_get_export_key(Address notify, Number<size_t> length, Number<uint64_t> flags) {
  return key_from(length, [&](char* key, size_t room) {
    return aclrtNotifyGetExportKey(pointer_of<void>(notify), key, room, flags.value);
  });
}

aclError notify_set_import_pid(Address notify, const nb::object& list) {
  std::vector<int32_t> pids = pids_of(Sequence(list, "pids"));
  return unlocked(
      [&] { return aclrtNotifySetImportPid(pointer_of<void>(notify), pids.data(), pids.size()); });
}

aclError notify_set_import_pid_inter_server(Address notify, const nb::object& list) {
  ServerPids servers(list);
  return unlocked([&] {
    return aclrtNotifySetImportPidInterServer(pointer_of<void>(notify), servers.data(),
                                              servers.size());
  });
}

std::tuple<uintptr_t, aclError> notify_import_by_key(const std::string& key,
                                                     Number<uint64_t> flags) {
  aclrtNotify notify = nullptr;
  const aclError code =
      unlocked([&] { return aclrtNotifyImportByKey(&notify, key.c_str(), flags.value); });
  return {to_python(notify), code};
}

void add_shared_events(nb::module_& rt) {
  define(rt, "ipc_get_event_handle", "(event: int, /) -> tuple[bytes, int]",
         "64 bytes with which other processes open an event with flag 0x40 "
         "(aclrtIpcGetEventHandle).",
         ipc_get_event_handle);
  define(rt, "ipc_open_event_handle", "(handle: bytes, /) -> tuple[int, int]",
         "Opens an event of another process (aclrtIpcOpenEventHandle).", ipc_open_event_handle);
  define(rt, "notify_get_export_key", "(notify: int, len: int, flags: int, /) -> tuple[str, int]",
         "A key with which other processes import a notify; len is 65, flags: 2 for every process\n"
         "(aclrtNotifyGetExportKey).",
         notify_get_export_key);
  define(rt, "notify_set_import_pid", "(notify: int, pids: list[int], /) -> int",
         "Adds processes that may import a notify (aclrtNotifySetImportPid).",
         notify_set_import_pid);
  define(rt, "notify_set_import_pid_inter_server",
         "(notify: int, server_pids: list[dict[str, Any]], /) -> int",
         "Adds processes of several servers, {\"sdid\": 0, \"pid\": [1]}, on A3 products\n"
         "(aclrtNotifySetImportPidInterServer).",
         notify_set_import_pid_inter_server);
  define(rt, "notify_import_by_key", "(key: str, flags: int, /) -> tuple[int, int]",
         "Imports a notify, to record it; flags: 2 enables peer access (aclrtNotifyImportByKey).",
         notify_import_by_key);
}

}  // namespace

void add_sharing(nb::module_& rt) {
  add_shareable_handles(rt);
  add_memory_keys(rt);
  add_shared_events(rt);
}

}  // namespace ferry::python
