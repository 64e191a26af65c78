// SPDX-License-Identifier: Apache-2.0
// page TRACE HTML: writes the page of a trace, with fixed advice and limits.
#include "page/page.h"

#include "trace/reader.h"

#include <cstdio>
#include <string>

using ferry::tools::page::Extras;
using ferry::tools::trace::Direction;
using ferry::tools::trace::Memory;
using ferry::tools::trace::Trace;

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  Trace trace;
  std::string wrong = ferry::tools::trace::read_trace(argv[1], trace);
  if (wrong.empty()) {
    Extras extras;
    extras.limits = {{Direction::kHostToDevice, Memory::kPinned, 16.0}};
    extras.sites = {{0x401010, "load_page  </script><b>pages.cpp:42"},
                    {0x401040, "save pages.cpp:50"},
                    {0x402000, "step pages.cpp:60"}};
    extras.advice = {{"Copy <b>blocks</b> with one call",
                      "3 copies & more.",
                      "Collect them.",
                      {"aclrtMemcpyBatchAsync(" + std::string(150, '.') + ");"},
                      {"load_page  pages.cpp:42"},
                      "saves 1 of 2 us",
                      {2, 3},
                      {0}}};
    extras.tables = {{"Idle gaps",
                      {"Where", "ms"},
                      {{"stream 1", "1.5"}, {"<i>stream 2</i>", "2"}},
                      {{1000, 2000}, {30000, 40000}},
                      {"a note"}}};
    wrong = ferry::tools::page::write_page(trace, extras, argv[2]);
    if (!wrong.empty()) wrong = std::string(argv[2]) + " " + wrong;
  }
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "%s\n", wrong.c_str());
  return 1;
}
