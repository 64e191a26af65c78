// SPDX-License-Identifier: Apache-2.0
// A program with marks and ranges of every kind, to be traced: annotate MODE [FOLDER].
//   all        each function once; a copy inside some of the ranges
//   profiling  aclprofInit(FOLDER); two profiling sessions with a mark in each, and marks outside
#include "ms_tools_ext.h"

#include "acl/acl.h"
#include "acl/acl_prof.h"
#include "ferry/ferry.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace {

#define OK(call) require((call), #call)

void require(aclError code, const char* call) {
  if (code == ACL_SUCCESS) return;
  std::printf("%s: %d\n", call, code);
  std::exit(1);
}

void use_mstx(aclrtStream stream) {
  mstxMarkA("mstx mark", nullptr);
  mstxMarkA("mstx mark in stream", stream);
  const mstxRangeId range = mstxRangeStartA("mstx range", nullptr);
  const mstxRangeId in_stream = mstxRangeStartA("mstx range in stream", stream);
  const mstxDomainHandle_t domain = mstxDomainCreateA("storage");
  mstxDomainMarkA(domain, "mstx domain mark", nullptr);
  const mstxRangeId inside = mstxDomainRangeStartA(domain, "mstx domain range", nullptr);
  mstxDomainRangeEnd(domain, inside);
  mstxDomainDestroy(domain);
  mstxRangeEnd(in_stream);
  std::thread([range] { mstxRangeEnd(range); }).join();
}

void* stamp_of(const char* text) {
  void* stamp = aclprofCreateStamp();
  OK(aclprofSetStampTraceMessage(stamp, text, static_cast<uint32_t>(std::strlen(text))));
  return stamp;
}

void mark_with_stamp(const char* text) {
  void* stamp = stamp_of(text);
  OK(aclprofMark(stamp));
  aclprofDestroyStamp(stamp);
}

void use_stamps() {
  mark_with_stamp("stamp mark");
  void* outer = stamp_of("stamp outer");
  void* inner = stamp_of("stamp inner");
  OK(aclprofPush(outer));
  OK(aclprofPush(inner));
  OK(aclprofPop());
  OK(aclprofPop());
  uint32_t range = 0;
  void* across = stamp_of("stamp range");
  OK(aclprofRangeStart(across, &range));
  std::thread([range] { OK(aclprofRangeStop(range)); }).join();
  for (void* stamp : {outer, inner, across})
    aclprofDestroyStamp(stamp);
}

void use_tensors() {
  aclprofTensorInfo info{};
  info.opNameId = aclprofStr2Id("operator");
  info.opTypeId = aclprofStr2Id("type");
  aclprofEventAttributes attributes{};
  attributes.messageType = ACL_PROF_MESSAGE_TYPE_TENSOR_INFO;
  attributes.message.tensorInfo = &info;
  OK(aclprofRangePushEx(&attributes));
  OK(aclprofRangePop());
}

void use_ferry(aclrtStream stream) {
  OK(ferryMark("ferry domain", "ferry mark", stream));
  uint64_t range = 0;
  OK(ferryRangeStart(nullptr, "ferry range", nullptr, &range));
  OK(ferryRangeEnd(nullptr, range));
}

void use_steps(aclrtStream stream) {
  aclprofStepInfo* const step = aclprofCreateStepInfo();
  // While a range in the stream is open that has the same number.
  const mstxRangeId range = mstxRangeStartA("around the step", stream);
  OK(aclprofGetStepTimestamp(step, ACL_STEP_START, stream));
  mstxRangeEnd(range);
  OK(aclprofGetStepTimestamp(step, ACL_STEP_END, stream));
  aclprofDestroyStepInfo(step);
  uint64_t point = 17;
  OK(aclrtProfTrace(&point, sizeof point, stream));
}

void use_all() {
  aclrtStream stream = nullptr;
  OK(aclrtCreateStream(&stream));
  use_steps(stream);  // first: its range and its step are both number 1
  use_mstx(stream);
  use_stamps();
  OK(aclprofMarkEx("mark ex", std::strlen("mark ex"), stream));
  use_tensors();
  use_ferry(stream);
  OK(aclrtSynchronizeStream(stream));
  OK(aclrtDestroyStream(stream));
}

void use_profiling(const std::string& folder) {
  uint32_t device = 0;
  aclprofConfig* config = aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr,
                                              ACL_PROF_ACL_API | ACL_PROF_MSPROFTX);
  OK(aclprofInit(folder.c_str(), folder.size()));
  mark_with_stamp("before");
  for (const char* text : {"first", "second"}) {
    OK(aclprofStart(config));
    OK(aclprofStart(config));  // allowed, and changes nothing
    mark_with_stamp(text);
    OK(aclprofStop(config));
    mark_with_stamp("between");
  }
  OK(aclprofStart(config));
  mark_with_stamp("third");
  OK(aclprofFinalize());  // ends what is running
  mark_with_stamp("after");
  OK(aclprofDestroyConfig(config));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  OK(aclInit(nullptr));
  OK(aclrtSetDevice(0));
  if (mode == "all") use_all();
  if (mode == "profiling" && argc > 2) use_profiling(argv[2]);
  OK(aclrtResetDevice(0));
  OK(aclFinalize());
  return 0;
}
