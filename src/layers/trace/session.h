// SPDX-License-Identifier: Apache-2.0
// A trace from its start to its end: the writer thread, and what starts, flushes and stops it. At
// most one trace runs at a time.
#pragma once

#include "base/error.h"
#include "base/status.h"
#include "base/trace_options.h"

#include <cstdint>
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

// exit() has begun: ends a running trace.
void end_at_exit();

}  // namespace ferry::layers::trace
