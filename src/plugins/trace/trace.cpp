// SPDX-License-Identifier: Apache-2.0
// libferry_trace.so: writes trace files. A separate library, so that only a process that traces
// needs zlib.
#include "layers/trace/trace_plugin.h"
#include "plugins/trace/format.h"
#include "plugins/trace/output.h"
#include "plugins/trace/place.h"

#include <memory>
#include <new>
#include <string>

struct ferryx_trace_writer {
  ferry::plugins::trace::Output output;
  std::unique_ptr<ferry::plugins::trace::Format> format;
};

namespace ferry::plugins::trace {
namespace {

constexpr const char* kNoMemory = "cannot be written: there is not enough memory";

// The caller's own room: a variable per thread would need memory to be made, and loses the process
// where there is none.
const char* put(const std::string& text, ferryx_trace_text* room) {
  if (text.empty()) return nullptr;
  room->text[text.copy(room->text, sizeof room->text - 1)] = '\0';
  return room->text;
}

const char* check(const char* path, ferryx_trace_text* room) {
  try {
    return put(what_is_wrong_with(path), room);
  } catch (const std::bad_alloc&) {
    return kNoMemory;
  }
}

const char* open(const char* path, const ferryx_trace_header* header, ferryx_trace_writer** writer,
                 ferryx_trace_text* room) {
  try {
    if (const char* wrong = check(path, room)) return wrong;
    const Place place = place_of(path);
    if (const char* wrong = put(prepare(place), room)) return wrong;
    auto made = std::make_unique<ferryx_trace_writer>();
    if (!made->output.open(place.file, place.is_compressed)) return put(made->output.error(), room);
    Bytes& bytes = made->output.bytes();
    made->format = place.is_perfetto ? make_perfetto(bytes) : make_json(bytes);
    made->format->begin(*header);
    *writer = made.release();
    return nullptr;
  } catch (const std::bad_alloc&) {
    return kNoMemory;
  }
}

// No exception leaves the library: its caller may come from another compiler. A writer that has
// failed only fails, and says why.
template <typename Function>
const char* use(ferryx_trace_writer* writer, Function function) {
  Output& output = writer->output;
  try {
    if (output.error().empty()) function(output, *writer->format);
  } catch (const std::bad_alloc&) {
    output.fail(kNoMemory, 0);
  }
  return output.error().empty() ? nullptr : output.error().c_str();
}

const char* write(ferryx_trace_writer* writer, const ferryx_trace_event* events, size_t count) {
  return use(writer, [&](Output& output, Format& format) {
    for (size_t i = 0; i < count; ++i) {
      format.add(events[i]);
      if (!output.write_if_large()) return;
    }
  });
}

const char* add_modules(ferryx_trace_writer* writer, const ferryx_trace_module* modules,
                        size_t count) {
  return use(writer, [&](Output& output, Format& format) {
    format.add_modules(modules, count);
    output.write_if_large();
  });
}

const char* flush(ferryx_trace_writer* writer) {
  return use(writer, [](Output& output, Format&) { output.flush(); });
}

const char* write_unfinished(ferryx_trace_writer* writer, const ferryx_trace_event* events,
                             size_t count) {
  return use(writer, [&](Output& output, Format& format) {
    format.add_unfinished({events, count});
    output.write_for_now();
  });
}

const char* close(ferryx_trace_writer* writer, uint64_t dropped, const char* reason,
                  ferryx_trace_text* room) {
  const std::unique_ptr<ferryx_trace_writer> owned(writer);
  use(writer, [&](Output& output, Format& format) {
    format.end(dropped, reason);
    output.close();
  });
  return put(owned->output.error(), room);  // the writer's own text is about to go
}

constexpr ferryx_trace_formats kFormats{.struct_size = sizeof(ferryx_trace_formats),
                                        .check = check,
                                        .open = open,
                                        .write = write,
                                        .modules = add_modules,
                                        .flush = flush,
                                        .write_unfinished = write_unfinished,
                                        .close = close};

}  // namespace
}  // namespace ferry::plugins::trace

extern "C" __attribute__((visibility("default"))) const ferryx_trace_formats*
ferryx_trace_formats_2() {
  return &ferry::plugins::trace::kFormats;
}
