// SPDX-License-Identifier: Apache-2.0
// The table of the plugin: puts its parts together, and starts its threads.
#include "layers/fabric/fabric_plugin.h"
#include "plugins/fabric/control.h"
#include "plugins/fabric/engine.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

struct ferryx_fabric {
  ferryx_fabric(const ferryx_fabric_services& given, int64_t timeout)
      : services(given), engine(services), control(engine, services, timeout) {}

  const ferryx_fabric_services services;
  ferry::fabric::Engine engine;
  ferry::fabric::Control control;
  ferryx_fabric_place place{};
};

namespace ferry::fabric {
namespace {

void write_text(const std::string& from, char* to, size_t size) {
  if (size == 0) return;
  const size_t length = std::min(from.size(), size - 1);
  std::memcpy(to, from.data(), length);
  to[length] = 0;
}

using Body = void (*)(ferryx_fabric& fabric);
struct Start {
  ferryx_fabric& fabric;
  Body body;
};

// Signals are for threads of the program.
bool start_fabric_thread(ferryx_fabric& fabric, const char* name, Body body) {
  auto start = std::make_unique<Start>(Start{fabric, body});
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread{};
  const int failed = pthread_create(
      &thread, nullptr,
      [](void* argument) -> void* {
        const std::unique_ptr<Start> own(static_cast<Start*>(argument));
        own->body(own->fabric);
        return nullptr;
      },
      start.get());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (failed != 0) return false;
  static_cast<void>(start.release());
  pthread_setname_np(thread, name);
  pthread_detach(thread);
  return true;
}

// The devices that UCX may use: that of the address, and those for RDMA, which have names of their
// own.
std::string devices_for(const ferryx_fabric_place& place) {
  std::string names = device_of(place);
  if (names.empty() && is_loopback(place)) names = "lo";
  if (names.empty() || is_loopback(place)) return names;
  std::error_code none;  // there is no such folder
  for (const auto& entry : std::filesystem::directory_iterator("/sys/class/infiniband", none))
    names += "," + entry.path().filename().string() + ":1";
  return names;
}

std::string start_fabric(ferryx_fabric& fabric, const ferryx_fabric_settings& settings) {
  if (std::string wrong = fabric.control.start(settings, fabric.place); !wrong.empty()) {
    return wrong;
  }
  if (std::string wrong = fabric.control.start_engine(devices_for(fabric.place)); !wrong.empty()) {
    return wrong;
  }
  const bool runs =
      start_fabric_thread(fabric, "ferry-fabric", [](ferryx_fabric& of) { of.engine.run(); }) &&
      start_fabric_thread(fabric, "ferry-fab-jobs",
                          [](ferryx_fabric& of) { of.engine.run_jobs(); }) &&
      start_fabric_thread(fabric, "ferry-fab-ctrl", [](ferryx_fabric& of) { of.control.run(); });
  return runs ? "" : "the system cannot create a thread";
}

int fabric_open(const ferryx_fabric_settings* settings, const ferryx_fabric_services* services,
                ferryx_fabric** fabric, char* text, size_t text_size) {
  // Never destroyed: its threads run until the process ends.
  auto made = std::make_unique<ferryx_fabric>(*services, static_cast<int64_t>(settings->timeout));
  const std::string wrong = start_fabric(*made, *settings);
  *fabric = made.release();
  write_text(wrong, text, text_size);
  return wrong.empty() ? 0 : 1;
}

void fabric_close(ferryx_fabric* fabric) {
  fabric->control.close();
  fabric->engine.close();
}

void fabric_place(ferryx_fabric* fabric, ferryx_fabric_place* place) {
  *place = fabric->place;
}

int fabric_visit(ferryx_fabric* fabric, const ferryx_fabric_place* place,
                 const ferryx_fabric_request* request, ferryx_fabric_answer* answer,
                 ferryx_fabric_opening** opening) {
  OpenedFrame opened;
  std::shared_ptr<Peer> peer;
  const std::string wrong = fabric->control.visit(*place, *request, opened, peer);
  if (!wrong.empty()) {
    write_text(in_words(*place) + " cannot be reached: " + wrong, answer->text,
               sizeof answer->text);
    return 1;
  }
  answer->code = opened.code;
  answer->is_unknown = opened.is_unknown ? 1 : 0;
  answer->size = opened.size;
  std::copy(opened.facts.begin(), opened.facts.end(), answer->facts);
  write_text(opened.text, answer->text, sizeof answer->text);
  if (opened.code == 0 && !opened.is_unknown) {
    fabric->engine.note_opening(*peer, 1);
    *opening = new ferryx_fabric_opening{std::move(peer), opened.segment, opened.size, fabric};
  }
  return 0;
}

void fabric_let_go(ferryx_fabric_opening* opening) {
  const std::unique_ptr<ferryx_fabric_opening> own(opening);
  own->fabric->engine.note_opening(*own->peer, -1);
  own->fabric->control.let_go(own->peer, own->segment);
}

int fabric_is_lost(const ferryx_fabric_opening* opening) {
  return opening->fabric->engine.loss_of(*opening->peer).empty() ? 0 : 1;
}

int fabric_signal(ferryx_fabric_opening* opening) {
  return opening->fabric->engine.signal(*opening) ? 1 : 0;
}

void fabric_call(ferryx_fabric_opening* opening, const void* question, size_t size,
                 ferryx_fabric_answered answered, void* argument) {
  opening->fabric->engine.call(*opening, {static_cast<const uint8_t*>(question), size}, answered,
                               argument);
}

void fabric_reply(ferryx_fabric* fabric, ferryx_fabric_call* call, const void* answer,
                  size_t size) {
  const std::unique_ptr<ferryx_fabric_call> own(call);
  fabric->engine.reply(*own, {static_cast<const uint8_t*>(answer), size});
}

void fabric_transfer(ferryx_fabric* fabric, uint32_t direction, const ferryx_fabric_piece* pieces,
                     size_t count, ferryx_fabric_done done, void* argument) {
  fabric->engine.transfer(direction, pieces, count, done, argument);
}

void fabric_fill(ferryx_fabric_opening* opening, const ferryx_fabric_filling* filling,
                 ferryx_fabric_done done, void* argument) {
  opening->fabric->engine.fill(*opening, *filling, done, argument);
}

void fabric_drive(ferryx_fabric* fabric, const uint32_t* until, uint64_t nanoseconds) {
  fabric->engine.drive(*until, static_cast<int64_t>(nanoseconds));
}

int fabric_help(ferryx_fabric* fabric) {
  return fabric->engine.help() ? 1 : 0;
}

void fabric_counts(ferryx_fabric* fabric, ferryx_fabric_counts* counts) {
  fabric->engine.counts(*counts);
}

size_t fabric_describe(ferryx_fabric* fabric, char* text, size_t size) {
  const std::string all = fabric->engine.describe();
  write_text(all, text, size);
  return all.size();
}

constexpr ferryx_fabric_table kTable{.struct_size = sizeof(ferryx_fabric_table),
                                     .abi = FERRYX_FABRIC_ABI,
                                     .open = fabric_open,
                                     .close = fabric_close,
                                     .place = fabric_place,
                                     .visit = fabric_visit,
                                     .let_go = fabric_let_go,
                                     .is_lost = fabric_is_lost,
                                     .signal = fabric_signal,
                                     .call = fabric_call,
                                     .reply = fabric_reply,
                                     .transfer = fabric_transfer,
                                     .fill = fabric_fill,
                                     .drive = fabric_drive,
                                     .help = fabric_help,
                                     .counts = fabric_counts,
                                     .describe = fabric_describe};

}  // namespace
}  // namespace ferry::fabric

extern "C" __attribute__((visibility("default"))) const ferryx_fabric_table* ferryx_fabric_plugin_2(
    void) {
  return &ferry::fabric::kTable;
}
