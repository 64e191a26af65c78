// SPDX-License-Identifier: Apache-2.0
// The two functions that list processes for exported physical memory, behind one signature: their
// tests ask the same of both. Header only.
#pragma once

#include "support/checks_with_context.h"
#include "support/sharing.h"

namespace conformance::virtual_memory::sharing {

// One of the two functions, with the type of handle it is given.
struct PidForm {
  const char* name;
  int type;  // 0: the first version
};

inline Bytes export_for(const PidForm& form, aclrtDrvMemHandle handle, uint64_t flags = kListed) {
  return form.type == 0 ? export_v1(handle, flags) : export_v2(handle, form.type, flags);
}

inline aclError list_pids(const PidForm& form, Bytes handle, std::vector<int32_t> pids) {
  handle.resize(kFabricSize);
  if (form.type == 0)
    return aclrtMemSetPidToShareableHandle(as_number(handle), pids.data(), pids.size());
  return aclrtMemSetPidToShareableHandleV2(
      handle.data(), static_cast<aclrtMemSharedHandleType>(form.type), pids.data(), pids.size());
}

inline Answer list_pids_in(Peer& peer, const PidForm& form, const Bytes& handle,
                           const std::vector<int32_t>& pids) {
  if (form.type == 0) return peer.send("set_pid_v1", handle, pids);
  return peer.send("set_pid_v2", handle, form.type, pids);
}

inline Answer import_in(Peer& peer, const PidForm& form, const Bytes& handle) {
  if (form.type == 0) return peer.send("import_v1", "h", handle, 0);
  return peer.send("import_v2", "h", handle, form.type);
}

// A handle whose process is gone with all it had: nobody knows it.
inline Bytes unknown_handle(const PidForm& form) {
  const Physical physical;
  return export_for(form, physical);
}

inline int32_t own_pid() {
  int32_t pid = 0;
  EXPECT_OK(aclrtDeviceGetBareTgid(&pid));
  return pid;
}

// ---- what both functions must do ----

inline void expect_lists_decide(const PidForm& form) {
  SCOPED_TRACE(form.type);
  const Physical physical;
  const Bytes handle = export_for(form, physical);
  ReadyPeer listed;
  ReadyPeer other;
  EXPECT_ANSWER(kRefused, import_in(listed, form, handle)) << "the list is empty: nobody";
  EXPECT_OK(list_pids(form, handle, {listed.pid()}));
  EXPECT_PEER_OK(import_in(listed, form, handle));
  EXPECT_ANSWER(kRefused, import_in(other, form, handle));
  // Calls add up; a process may be listed again, and 0 is skipped.
  EXPECT_OK(list_pids(form, handle, {0, listed.pid(), other.pid(), 0, other.pid()}));
  EXPECT_PEER_OK(import_in(other, form, handle));
  EXPECT_PEER_OK(import_in(listed, form, handle));
  EXPECT_EQ(kRefused, list_pids(form, handle, {0, 0})) << "whatever is on the list";
  clear_errors();
}

// Those who may import are found however long the list is.
inline void expect_long_lists_work(const PidForm& form) {
  const Physical physical;
  const Bytes handle = export_for(form, physical);
  ReadyPeer peer;
  std::vector<int32_t> pids(65535, 1);
  pids.back() = peer.pid();
  EXPECT_OK(list_pids(form, handle, pids));
  EXPECT_PEER_OK(import_in(peer, form, handle));
  pids.push_back(1);
  EXPECT_EQ(kBadValue, list_pids(form, handle, pids));
  clear_errors();
}

inline void expect_others_may_not_list(const PidForm& form) {
  const Physical physical;
  const Bytes handle = export_for(form, physical);
  ReadyPeer peer;
  EXPECT_ANSWER(kRefused, list_pids_in(peer, form, handle, {peer.pid()}));
  EXPECT_ANSWER(kRefused, import_in(peer, form, handle));
  EXPECT_OK(list_pids(form, handle, {peer.pid()}));
  EXPECT_PEER_OK(import_in(peer, form, handle));
  EXPECT_ANSWER(kRefused, list_pids_in(peer, form, handle, {peer.pid()}));
}

// A process that starts after it was listed is not refused: start times are not compared.
inline void expect_pids_are_those_of_the_api(const PidForm& form) {
  ReadyPeer peer;
  EXPECT_EQ(static_cast<uint64_t>(peer.pid()), peer.send("bare_tgid").number());
  EXPECT_EQ(getpid(), own_pid());
  const Physical physical;
  const Bytes handle = export_for(form, physical);
  EXPECT_OK(list_pids(form, handle, {own_pid()}));
  EXPECT_ANSWER(kRefused, import_in(peer, form, handle));
}

}  // namespace conformance::virtual_memory::sharing
