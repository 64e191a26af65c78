// SPDX-License-Identifier: Apache-2.0
// Traces, and the program's own marks and ranges in them. A thin wrapper of ferry.h.
#include "../acl/lock.h"
#include "errors.h"
#include "library.h"

#include "ferry/ferry.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>

namespace nb = nanobind;

namespace ferry::python {
namespace {

// Calls a function of the library, which may write files or wait for a stream.
template <typename Call>
void run(const char* function, const Call& call) {
  Outcome outcome;
  {
    const Unlocked unlocked;
    const aclError code = call();
    if (code != ACL_SUCCESS) outcome = outcome_of(function, code);
  }
  if (!outcome.is_success()) raise(outcome);
}

// C sees no more than the part before such a character.
const std::string& whole(const std::string& text) {
  if (text.find('\0') != std::string::npos)
    raise_python(PyExc_ValueError, "embedded null character");
  return text;
}

void trace_start(const nb::bytes& path, const std::string& options) {
  const std::string name(path.c_str(), path.size());
  whole(name);
  run("ferryTraceStart", [&] { return ferryTraceStart(name.c_str(), options.c_str()); });
}

void set_mark(const std::string& domain, const std::string& name, uintptr_t stream) {
  whole(domain);
  whole(name);
  run("ferryMark", [&] {
    return ferryMark(domain.c_str(), name.c_str(), reinterpret_cast<aclrtStream>(stream));
  });
}

uint64_t range_start(const std::string& domain, const std::string& name, uintptr_t stream) {
  whole(domain);
  whole(name);
  uint64_t id = 0;
  run("ferryRangeStart", [&] {
    return ferryRangeStart(domain.c_str(), name.c_str(), reinterpret_cast<aclrtStream>(stream),
                           &id);
  });
  return id;
}

void range_end(const std::string& domain, uint64_t id) {
  run("ferryRangeEnd", [&] { return ferryRangeEnd(domain.c_str(), id); });
}

}  // namespace

void add_tracing(nb::module_& module) {
  module.def("trace_start", trace_start, nb::arg("path"), nb::arg("options"));
  module.def("trace_stop", [] { run("ferryTraceStop", ferryTraceStop); });
  module.def("trace_flush", [] { run("ferryTraceFlush", ferryTraceFlush); });
  module.def("mark", set_mark, nb::arg("domain"), nb::arg("name"), nb::arg("stream"));
  module.def("range_start", range_start, nb::arg("domain"), nb::arg("name"), nb::arg("stream"));
  module.def("range_end", range_end, nb::arg("domain"), nb::arg("id"));
}

}  // namespace ferry::python
