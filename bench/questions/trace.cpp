// SPDX-License-Identifier: Apache-2.0
// Trace: what does recording add to a call and its work? The same copies with and without a trace,
// in turns. The file is written between them: bursts fit the buffers, as in programs that compute.
#include "bench/client.h"
#include "bench/question.h"
#include "bench/questions/questions.h"
#include "bench/transfer.h"

#include "ferry/ferry.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace ferry::bench {
namespace {

constexpr size_t kTracedBytes = 64;
constexpr size_t kTracedCopies = 500;
constexpr double kNanosecondsPerSecond = 1e9;

void succeed(aclError code) {
  if (code != ACL_SUCCESS) throw std::runtime_error(aclGetRecentErrMsg());
}

// A file that is removed in the end.
class TraceFile {
 public:
  TraceFile() {
    path_ = (std::filesystem::temp_directory_path() / "ferry_bench_XXXXXX").string();
    const int file = mkstemp(path_.data());
    if (file < 0) throw std::runtime_error("no file for a trace can be created");
    close(file);
  }
  ~TraceFile() { unlink(path_.c_str()); }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
};

}  // namespace

void ask_trace(const Setup& setup) {
  setup.show_progress("copies with and without a trace");
  const Stream stream;
  const TraceFile file;
  const Layout layout = in_a_row(kTracedCopies, kTracedBytes);
  Transfer plain(layout, Buffer::Place::kPinned, Buffer::Place::kDevice);
  Transfer traced(layout, Buffer::Place::kPinned, Buffer::Place::kDevice);
  const auto copy = [&](Transfer& transfer) {
    transfer.submit_one_by_one(stream);
    stream.synchronize();
  };
  std::vector<Contender> contenders{contender("traced", traced, [&] { copy(traced); }),
                                    contender("untraced", plain, [&] { copy(plain); })};
  contenders[0].settle = [] { succeed(ferryTraceFlush()); };
  contenders[0].before = [&, prepare = contenders[0].before] {
    prepare();
    succeed(ferryTraceStart(file.path(), nullptr));
  };
  contenders[0].after = [verify = contenders[0].after] {
    succeed(ferryTraceStop());
    verify();
  };
  const Times times = race(contenders, setup.pace);
  Row row;
  row.what = "64 B, call and work";
  row.unit = "ns per copy";
  row.measured = median(times[0]) / kTracedCopies * kNanosecondsPerSecond;
  row.baseline = median(times[1]) / kTracedCopies * kNanosecondsPerSecond;
  row.baseline_name = "untraced";
  row.ratio = ratio_of(times[1], times[0]);
  row.target = below(150, "ns more");
  row.judged = *row.measured - *row.baseline;
  setup.add(row);
}

}  // namespace ferry::bench
