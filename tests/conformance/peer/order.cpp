// SPDX-License-Identifier: Apache-2.0
// Commands of the peer: streams, gates, events and notifies.
#include "command.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>

namespace peer {
namespace {

// Blocks a stream until it is opened. Never destroyed: the stream may come to it at any time.
struct Gate {
  std::mutex mutex;  // guards is_open
  std::condition_variable changed;
  bool is_open = false;

  static void wait(void* argument) {
    auto& gate = *static_cast<Gate*>(argument);
    std::unique_lock lock(gate.mutex);
    gate.changed.wait(lock, [&] { return gate.is_open; });
  }
};

Answer create_stream(Words& words) {
  aclrtStream stream = nullptr;
  const aclError code = aclrtCreateStream(&stream);
  return keep(words.word(), stream, code);
}

Answer destroy_stream(Words& words) {
  return {aclrtDestroyStream(words.object()), {}};
}

// NAME STREAM
Answer gate(Words& words) {
  const std::string name = words.word();
  auto* const made = new Gate;
  return keep(name, made, aclrtLaunchHostFunc(words.object(), Gate::wait, made));
}

// Does nothing if there is no gate with the name.
Answer open_gate(Words& words) {
  auto* const gate = static_cast<Gate*>(words.object());
  if (gate == nullptr) return {};
  const std::lock_guard lock(gate->mutex);
  gate->is_open = true;
  gate->changed.notify_all();
  return {};
}

Answer synchronize_stream(Words& words) {
  return {aclrtSynchronizeStream(words.object()), {}};
}

// STREAM MILLISECONDS
Answer synchronize_stream_for(Words& words) {
  aclrtStream const stream = words.object();
  return {aclrtSynchronizeStreamWithTimeout(stream, words.signed_number()), {}};
}

// The number of a state of aclrtStreamQuery
Answer query_stream(Words& words) {
  aclrtStreamStatus status = {};
  const aclError code = aclrtStreamQuery(words.object(), &status);
  return numbers(code, {static_cast<uint64_t>(status)});
}

Answer synchronize_device(Words&) {
  return {aclrtSynchronizeDevice(), {}};
}

// NAME FLAG
Answer create_event(Words& words) {
  const std::string name = words.word();
  aclrtEvent event = nullptr;
  const aclError code = aclrtCreateEventExWithFlag(&event, static_cast<uint32_t>(words.number()));
  return keep(name, event, code);
}

Answer event_handle(Words& words) {
  aclrtIpcEventHandle handle = {};
  const aclError code = aclrtIpcGetEventHandle(words.object(), &handle);
  return bytes_of(code, &handle, sizeof handle);
}

// NAME BYTES
Answer open_event(Words& words) {
  const std::string name = words.word();
  std::vector<uint8_t> bytes = words.bytes();
  aclrtIpcEventHandle handle = {};
  std::memcpy(&handle, bytes.data(), std::min(sizeof handle, bytes.size()));
  aclrtEvent event = nullptr;
  const aclError code = aclrtIpcOpenEventHandle(handle, &event);
  return keep(name, event, code);
}

// EVENT STREAM
Answer record(Words& words) {
  aclrtEvent const event = words.object();
  return {aclrtRecordEvent(event, words.object()), {}};
}

// STREAM EVENT
Answer wait_event(Words& words) {
  aclrtStream const stream = words.object();
  return {aclrtStreamWaitEvent(stream, words.object()), {}};
}

Answer synchronize_event(Words& words) {
  return {aclrtSynchronizeEvent(words.object()), {}};
}

// EVENT MILLISECONDS
Answer synchronize_event_for(Words& words) {
  aclrtEvent const event = words.object();
  return {aclrtSynchronizeEventWithTimeout(event, words.signed_number()), {}};
}

Answer query_event(Words& words) {
  aclrtEventRecordedStatus status = {};
  const aclError code = aclrtQueryEventStatus(words.object(), &status);
  return numbers(code, {static_cast<uint64_t>(status)});
}

Answer destroy_event(Words& words) {
  return {aclrtDestroyEvent(words.object()), {}};
}

Answer create_notify(Words& words) {
  aclrtNotify notify = nullptr;
  const aclError code = aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT);
  return keep(words.word(), notify, code);
}

// NOTIFY FLAGS
Answer notify_key(Words& words) {
  aclrtNotify const notify = words.object();
  char key[kKeySize] = {};
  const aclError code = aclrtNotifyGetExportKey(notify, key, sizeof key, words.number());
  return bytes_of(code, key, sizeof key);
}

// NOTIFY PIDS
Answer set_notify_pid(Words& words) {
  aclrtNotify const notify = words.object();
  std::vector<int32_t> pids = words.numbers();
  return {aclrtNotifySetImportPid(notify, pids.data(), pids.size()), {}};
}

// NAME KEY FLAGS
Answer import_notify(Words& words) {
  const std::string name = words.word();
  std::vector<uint8_t> key = words.bytes();
  key.resize(std::max(key.size(), kKeySize + 1));
  aclrtNotify notify = nullptr;
  const aclError code =
      aclrtNotifyImportByKey(&notify, reinterpret_cast<const char*>(key.data()), words.number());
  return keep(name, notify, code);
}

// NOTIFY STREAM
Answer record_notify(Words& words) {
  aclrtNotify const notify = words.object();
  return {aclrtRecordNotify(notify, words.object()), {}};
}

// NOTIFY STREAM
Answer wait_notify(Words& words) {
  aclrtNotify const notify = words.object();
  return {aclrtWaitAndResetNotify(notify, words.object(), 0), {}};
}

Answer notify_id(Words& words) {
  uint32_t id = 0;
  const aclError code = aclrtGetNotifyId(words.object(), &id);
  return numbers(code, {id});
}

Answer destroy_notify(Words& words) {
  return {aclrtDestroyNotify(words.object()), {}};
}

}  // namespace

const Command kOrderCommands[] = {
    {"create_stream", create_stream},
    {"destroy_stream", destroy_stream},
    {"gate", gate},
    {"open_gate", open_gate},
    {"synchronize_stream", synchronize_stream},
    {"synchronize_stream_for", synchronize_stream_for},
    {"query_stream", query_stream},
    {"synchronize_device", synchronize_device},
    {"create_event", create_event},
    {"event_handle", event_handle},
    {"open_event", open_event},
    {"record", record},
    {"wait_event", wait_event},
    {"synchronize_event", synchronize_event},
    {"synchronize_event_for", synchronize_event_for},
    {"query_event", query_event},
    {"destroy_event", destroy_event},
    {"create_notify", create_notify},
    {"notify_key", notify_key},
    {"set_notify_pid", set_notify_pid},
    {"import_notify", import_notify},
    {"record_notify", record_notify},
    {"wait_notify", wait_notify},
    {"notify_id", notify_id},
    {"destroy_notify", destroy_notify},
    {nullptr, nullptr},
};

}  // namespace peer
