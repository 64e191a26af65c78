// SPDX-License-Identifier: Apache-2.0
#include "trace/reader.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace ferry::tools::trace {
namespace {

constexpr const char* kBegin =
    "[\n"
    R"({"name":"ferry_trace","ph":"M","pid":7,"tid":0,"args":{"format":1,"ferry":"1.0","program":"/bin/p",)"
    R"("arguments":["p","-x"],"pid":7,"started":"2026-11-18T21:15:43.123456Z","soc":"S","check":true,)"
    R"("devices":[{"id":0,"kind":"cpu","name":"CPU \u0041","memory":1024},{"id":1,"kind":"null"}]}},)"
    "\n";

std::string trace_of(const std::string& events) {
  return kBegin + events + R"({"name":"ferry_end","ph":"M","args":{"dropped":3}})" + "\n]\n";
}

Trace read_good(const std::string& text) {
  Trace trace;
  EXPECT_EQ(read_trace_text(text, trace), "");
  return trace;
}

std::string error_of(const std::string& text) {
  Trace trace;
  return read_trace_text(text, trace);
}

TEST(TraceReader, TakesTheFirstAndTheLastEvent) {
  const Trace trace = read_good(trace_of(""));
  EXPECT_EQ(trace.program, "/bin/p");
  EXPECT_EQ(trace.arguments, (std::vector<std::string>{"p", "-x"}));
  EXPECT_EQ(trace.pid, 7U);
  EXPECT_TRUE(trace.is_checked);
  ASSERT_EQ(trace.devices.size(), 2U);
  EXPECT_EQ(trace.devices[0].name, "CPU A");
  EXPECT_EQ(trace.devices[0].memory, 1024U);
  EXPECT_EQ(trace.devices[1].kind, "null");
  EXPECT_TRUE(trace.is_complete);
  EXPECT_EQ(trace.dropped, 3U);
  EXPECT_EQ(trace.lost_lines, 0U);
}

TEST(TraceReader, TakesAllMembersOfWork) {
  const Trace trace = read_good(trace_of(
      R"({"ph":"X","cat":"work","name":"H2D 4.0 KiB","pid":1073741825,"tid":3,"ts":10.125,"dur":2.5,)"
      R"("args":{"work":5,"call":"f","task":9,"stream":3,"device":1,"correlation":18446744073709551615,)"
      R"("kind":"batch","bytes":4096,"items":4,"smallest":512,"largest":2048,"neighbours":2,)"
      R"("direction":"H2D","memory":"pinned","dst":"0x7f0000001000","src":"0x10","peer":0,)"
      R"("marker":6,"submitted":9.001,"result":507001,"model":2,"run":1,"hash":"0xff",)"
      R"("sizes":[1,2],"dsts":["0x1","0x2"],"srcs":["0x3","0x4"],"unfinished":true}},)"
      "\n"));
  ASSERT_EQ(trace.works.size(), 1U);
  const Work& work = trace.works[0];
  EXPECT_EQ(work.number, 5U);
  EXPECT_EQ(work.begin, 10125);
  EXPECT_EQ(work.end, 12625);
  EXPECT_EQ(work.submitted, 9001);
  EXPECT_EQ(trace.texts.text_of(work.name), "H2D 4.0 KiB");
  EXPECT_EQ(trace.texts.text_of(work.function), "f");
  EXPECT_EQ(work.correlation, UINT64_MAX);
  EXPECT_EQ(work.kind, Kind::kBatch);
  EXPECT_EQ(work.bytes, 4096U);
  EXPECT_EQ(work.items, 4U);
  EXPECT_EQ(work.smallest, 512U);
  EXPECT_EQ(work.largest, 2048U);
  EXPECT_EQ(work.neighbours, 2U);
  EXPECT_EQ(work.direction, Direction::kHostToDevice);
  EXPECT_EQ(work.memory, Memory::kPinned);
  EXPECT_EQ(work.dst, 0x7f0000001000U);
  EXPECT_EQ(work.src, 0x10U);
  EXPECT_EQ(work.stream, 3);
  EXPECT_EQ(work.device, 1);
  EXPECT_EQ(work.peer, 0);
  EXPECT_EQ(work.marker, 6U);
  EXPECT_EQ(work.result, 507001);
  EXPECT_EQ(work.model, 2U);
  EXPECT_EQ(work.run, 1U);
  EXPECT_EQ(work.hash, 0xffU);
  EXPECT_EQ(work.task, 9U);
  EXPECT_TRUE(work.is_unfinished);
  EXPECT_EQ(work.call_index, UINT32_MAX);
  ASSERT_EQ(trace.items.at(5).size(), 2U);
  EXPECT_EQ(trace.items.at(5)[1].size, 2U);
  EXPECT_EQ(trace.items.at(5)[1].dst, 2U);
  EXPECT_EQ(trace.items.at(5)[1].src, 4U);
}

TEST(TraceReader, KeepsDefaultsOfWhatIsMissing) {
  const Trace trace = read_good(trace_of(
      R"({"ph":"X","cat":"work","name":"copy","pid":7,"tid":8,"ts":1,"args":{"work":1,"bytes":64}},)"
      "\n"));
  ASSERT_EQ(trace.works.size(), 1U);
  EXPECT_TRUE(trace.works[0].is_during_call());
  EXPECT_EQ(trace.works[0].thread, 8U);
  EXPECT_EQ(trace.works[0].submitted, 1000);
  EXPECT_EQ(trace.works[0].smallest, 64U);
  EXPECT_EQ(trace.works[0].largest, 64U);
  EXPECT_EQ(trace.works[0].model, kNone);
}

// The second and third work of a call of three are found by their flows; another thread's work has
// a number between them.
TEST(TraceReader, LinksWorkToItsCall) {
  const auto work = [](int number) {
    return R"({"ph":"X","cat":"work","name":"w","pid":1073741824,"tid":1,"ts":50,"dur":1,"args":{"work":)" +
           std::to_string(number) + R"(,"stream":1}},)" + "\n";
  };
  const auto flow = [](int number, int thread, int time) {
    return R"({"ph":"s","cat":"submit","name":"submit","pid":7,"tid":)" + std::to_string(thread) +
           R"(,"ts":)" + std::to_string(time) + R"(,"id":)" + std::to_string(number) + "},\n";
  };
  const Trace trace = read_good(trace_of(
      work(4) + work(1) + work(2) + work(3) + flow(1, 7, 20) + flow(2, 8, 21) + flow(3, 7, 22) +
      flow(4, 7, 40) +
      R"({"ph":"X","cat":"call","name":"other","pid":7,"tid":8,"ts":20,"dur":9,"args":{"work":2}},)"
      "\n"
      R"({"ph":"X","cat":"call","name":"run","pid":7,"tid":7,"ts":10,"dur":20,)"
      R"("args":{"work":1,"works":2,"site":"0x401","stream":1,"script":"f  a.py:3","result":-1}},)"
      "\n"));
  ASSERT_EQ(trace.calls.size(), 2U);
  const Call& call = trace.calls[0];
  EXPECT_EQ(trace.texts.text_of(call.function), "run");
  EXPECT_EQ(trace.texts.text_of(call.script), "f  a.py:3");
  EXPECT_EQ(call.begin, 10000);
  EXPECT_EQ(call.end, 30000);
  EXPECT_EQ(call.thread, 7U);
  EXPECT_EQ(call.site, 0x401U);
  EXPECT_EQ(call.stream, 1);
  EXPECT_EQ(call.result, -1);
  EXPECT_EQ(call.first_work, 1U);
  EXPECT_EQ(call.works, 2U);
  ASSERT_EQ(trace.works.size(), 4U);
  EXPECT_EQ(trace.works[0].call_index, 0U);
  EXPECT_EQ(trace.works[1].call_index, 1U);
  EXPECT_EQ(trace.works[2].call_index, 0U);
  EXPECT_EQ(trace.works[3].call_index, UINT32_MAX);  // after the call
}

TEST(TraceReader, TakesRangesInstantsCountersAndModules) {
  const Trace trace = read_good(trace_of(
      R"({"ph":"X","cat":"range","name":"step","pid":7,"tid":7,"ts":1,"dur":4,"args":{"domain":"d"}},)"
      "\n"
      R"({"ph":"b","cat":"range","name":"outer","id":"0x5","pid":7,"tid":7,"ts":2},)"
      "\n"
      R"({"ph":"b","cat":"range","name":"open","id":6,"pid":7,"tid":7,"ts":3},)"
      "\n"
      R"({"ph":"e","cat":"range","name":"outer","id":"0x5","pid":7,"tid":9,"ts":8},)"
      "\n"
      R"({"ph":"i","cat":"mark","name":"here","pid":1073741824,"tid":4,"ts":9},)"
      "\n"
      R"({"ph":"i","cat":"finding","s":"t","name":"leak","pid":7,"tid":7,"ts":9,)"
      R"("args":{"severity":"error","text":"lost"}},)"
      "\n"
      R"({"ph":"i","cat":"memory","name":"alloc","pid":7,"tid":7,"ts":10,)"
      R"("args":{"address":"0x100","size":64,"device":0}},)"
      "\n"
      R"({"ph":"C","name":"device memory","pid":1073741824,"tid":0,"ts":10,"args":{"bytes":64}},)"
      "\n"
      R"({"ph":"M","name":"ferry_modules","pid":7,"args":{"modules":[)"
      R"({"path":"/a","build_id":"ab","begin":"0x1000","end":"0x2000","offset":"0x10"}]}},)"
      "\n"
      R"({"ph":"M","name":"thread_name","pid":7,"tid":7,"args":{"name":"main"}},)"
      "\n"));
  ASSERT_EQ(trace.ranges.size(), 3U);
  EXPECT_EQ(trace.ranges[0].end, 5000);
  EXPECT_EQ(trace.texts.text_of(trace.ranges[0].domain), "d");
  EXPECT_EQ(trace.ranges[1].begin, 2000);
  EXPECT_EQ(trace.ranges[1].end, 8000);
  EXPECT_EQ(trace.ranges[2].end, 10000);  // never ended: as long as the trace
  ASSERT_EQ(trace.instants.size(), 3U);
  EXPECT_EQ(trace.instants[0].what, Instant::What::kMark);
  EXPECT_EQ(trace.instants[0].device, 0);
  EXPECT_EQ(trace.instants[0].stream, 4);
  EXPECT_EQ(trace.instants[1].what, Instant::What::kFinding);
  EXPECT_EQ(trace.texts.text_of(trace.instants[1].severity), "error");
  EXPECT_EQ(trace.instants[2].what, Instant::What::kMemory);
  EXPECT_EQ(trace.instants[2].address, 0x100U);
  EXPECT_EQ(trace.instants[2].size, 64U);
  EXPECT_EQ(trace.device_memory.at(0).at(0).bytes, 64U);
  ASSERT_EQ(trace.modules.size(), 1U);
  EXPECT_EQ(trace.modules[0].end, 0x2000U);
  EXPECT_EQ(trace.modules[0].offset, 0x10U);
  EXPECT_EQ(trace.thread_names.at(7), "main");
  EXPECT_EQ(trace.lost_lines, 0U);
}

TEST(TraceReader, ReadsWhatIsThereOfATraceThatWasCutOff) {
  const std::string whole =
      trace_of(R"({"ph":"X","cat":"call","name":"f","pid":7,"tid":7,"ts":1,"dur":1},)"
               "\n");
  const size_t begin = std::string(kBegin).size();
  for (size_t size = begin; size + 3 < whole.size(); ++size) {
    Trace trace;
    ASSERT_EQ(read_trace_text(whole.substr(0, size), trace), "") << size;
    ASSERT_FALSE(trace.is_complete) << size;
    ASSERT_LE(trace.lost_lines, 1U);
  }
}

TEST(TraceReader, CountsForeignLines) {
  const Trace trace =
      read_good(trace_of("{\"ph\":\"X\",\"cat\":\"gpu\",\"ts\":1},\nnonsense\n{},\n[1],\n"));
  EXPECT_EQ(trace.lost_lines, 4U);
  EXPECT_TRUE(trace.is_complete);
}

TEST(TraceReader, RefusesWhatIsNoTrace) {
  EXPECT_EQ(error_of(""), "is empty");
  EXPECT_EQ(error_of("[\n"), "is not a trace of Ferry: it has no event");
  EXPECT_EQ(error_of("{\"a\":1}\n"), "is not a trace of Ferry: its first line is not \"[\"");
  EXPECT_EQ(error_of("[\n{\"ph\":\"X\",\"ts\":1}\n]\n"),
            "is not a trace of Ferry: its first event is not ferry_trace");
  EXPECT_EQ(error_of("[\nhello\n"), "is not a trace of Ferry: its second line is not an event");
  EXPECT_EQ(error_of("[\n{\"ph\":\"M\",\"name\":\"ferry_trace\",\"args\":{\"format\":2}},\n"),
            "has format 2, and this version of Ferry reads format 1");
  EXPECT_EQ(error_of(kBegin + std::string((size_t{64} << 20) + 1, 'x')),
            "has a line of more than 64 MiB, which no trace of Ferry has");
  EXPECT_NE(error_of(std::string("\0\1\2\n", 4)), "");
}

// Numbers that do not fit count as missing.
TEST(TraceReader, SurvivesAbsurdNumbers) {
  const Trace trace = read_good(trace_of(
      R"({"ph":"X","cat":"work","name":"w","pid":1e30,"tid":-1,"ts":99999999999999999999,"dur":-5,)"
      R"("args":{"work":-1,"bytes":1.5e9,"items":0,"stream":4294967296,"device":99999999999}},)"
      "\n"));
  ASSERT_EQ(trace.works.size(), 1U);
  EXPECT_EQ(trace.works[0].begin, 0);
  EXPECT_EQ(trace.works[0].end, 0);
  EXPECT_EQ(trace.works[0].items, 1U);
  EXPECT_EQ(trace.works[0].stream, -1);
  EXPECT_EQ(trace.works[0].device, 0);
}

class TraceFiles : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ferry-trace-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
  }
  void TearDown() override { EXPECT_EQ(std::system(("rm -r " + folder_).c_str()), 0); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
    return folder_ + "/" + name;
  }

  std::string folder_;
};

TEST_F(TraceFiles, AreFilesOrFolders) {
  Trace trace;
  EXPECT_EQ(read_trace(folder_, trace), folder_ + " is a folder without a trace_view.json");
  const std::string path = write("trace_view.json", trace_of(""));
  EXPECT_EQ(read_trace(path, trace), "");
  Trace other;
  EXPECT_EQ(read_trace(folder_ + "/", other), "");
  EXPECT_EQ(other.program, "/bin/p");
}

TEST_F(TraceFiles, ThatCannotBeReadAreRefusedInOneLine) {
  Trace trace;
  EXPECT_EQ(read_trace(folder_ + "/none", trace),
            folder_ + "/none cannot be read: No such file or directory");
  const std::string fifo = folder_ + "/fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(read_trace(fifo, trace), fifo + " is not a regular file");
  const std::string empty = write("empty", "");
  EXPECT_EQ(read_trace(empty, trace), empty + " is empty");
}

TEST_F(TraceFiles, MayBeCompressedAndCutOff) {
  const std::string path = write("trace.json", trace_of(""));
  if (std::system(("gzip " + path).c_str()) != 0) GTEST_SKIP() << "there is no gzip";
  Trace trace;
  const std::string error = read_trace(path + ".gz", trace);
  if (error.find("without zlib") != std::string::npos) GTEST_SKIP() << error;
  EXPECT_EQ(error, "");
  EXPECT_TRUE(trace.is_complete);
  struct stat status {};
  ASSERT_EQ(stat((path + ".gz").c_str(), &status), 0);
  // Without its last bytes, which are a checksum and the size, all text is still there.
  ASSERT_EQ(truncate((path + ".gz").c_str(), status.st_size - 4), 0);
  Trace cut;
  EXPECT_EQ(read_trace(path + ".gz", cut), "");
  EXPECT_EQ(cut.program, "/bin/p");
}

}  // namespace
}  // namespace ferry::tools::trace
