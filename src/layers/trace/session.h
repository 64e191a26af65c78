// SPDX-License-Identifier: Apache-2.0
// A trace from its start to its end: the writer thread, and what starts, flushes and stops it. At
// most one trace runs at a time.
#pragma once

#include "base/error.h"
#include "base/status.h"
#include "base/trace_options.h"
#include "layers/trace/records.h"
#include "layers/trace/sink.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace ferry::layers::trace {

// When the file is created.
enum class Creation {
  kNow,           // and what is wrong with it is returned
  kAtFirstEvent,  // and what is wrong with it goes to standard error
};

// Starts a trace. The layer and the services must be there. 100000 (ACL_ERROR_INVALID_PARAM) when
// the path cannot be written, or a trace is running.
Status start(const std::string& path, const TraceOptions& options, Creation creation);
// Returns when everything recorded so far is in the file.
Status flush();
// Returns when the file is complete. 100000 when no trace is running, or its file could not be
// written.
Status stop();
bool is_running();

// For tests: makes the sink of the next traces instead of the plugin.
using SinkMaker = std::function<std::unique_ptr<Sink>(const std::string& path, std::string& wrong)>;
void set_sink_maker(SinkMaker maker);

// exit() has begun: ends a running trace.
void end_at_exit();

// Notes a finding of the checker, on the thread that was told.
void note_finding(const char* rule, const char* severity, const char* text);

// A mark or one end of a range of the program.
struct Note {
  NoteKind kind = NoteKind::kMark;
  uint32_t thread = 0;
  int32_t stream = -1;  // -1: none
  uint64_t id = 0;
  uint64_t time = 0;  // of CLOCK_MONOTONIC
  const char* name = "";
  const char* domain = "";
};
void note_annotation(const Note& note);

}  // namespace ferry::layers::trace
