// SPDX-License-Identifier: Apache-2.0
// Open ranges of the process, and the two stacks of each thread.
#include "core/profile/program_ranges.h"

#include "core/profile/annotations.h"
#include "core/profile/stream_mark.h"

#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry {
namespace {

struct OpenRange {
  std::string domain;
  std::string text;
  void* stream = nullptr;  // handle; nullptr: the host only
};

struct OpenRanges {
  std::mutex mutex;  // guards the members below
  std::unordered_map<uint32_t, OpenRange> by_id;
  uint32_t last_id = 0;
};

OpenRanges& open_ranges() {
  static auto* instance = new OpenRanges;
  return *instance;
}

// Texts of aclprofStr2Id, to name ranges by. Bounded: a text too many stays a number.
struct KnownTexts {
  static constexpr size_t kMost = 16384;
  std::mutex mutex;  // guards by_id
  std::unordered_map<uint64_t, std::string> by_id;
};

KnownTexts& known_texts() {
  static auto* instance = new KnownTexts;
  return *instance;
}

struct PushedTensors {
  Annotation annotation;
  std::vector<aclprofTensor> tensors;
};

// What a thread has pushed. It exists while something is pushed, and has no destructor of its own:
// a thread may push and pop while its other thread-local objects are being destroyed.
struct PushedRanges {
  std::vector<std::string> stamps;
  std::vector<PushedTensors> tensors;
};
constinit thread_local PushedRanges* pushed_ranges = nullptr;

PushedRanges& own_ranges() {
  if (pushed_ranges == nullptr) pushed_ranges = new PushedRanges;
  return *pushed_ranges;
}

void delete_own_ranges_if_empty() {
  if (!pushed_ranges->stamps.empty() || !pushed_ranges->tensors.empty()) return;
  delete pushed_ranges;
  pushed_ranges = nullptr;
}

Annotation annotation_of(AnnotationKind kind, const char* domain, const char* text,
                         uint64_t id = 0) {
  Annotation annotation;
  annotation.kind = kind;
  annotation.id = id;
  annotation.set_domain(domain);
  annotation.set_name(text);
  return annotation;
}

void record_now(AnnotationKind kind, const char* domain, const char* text, uint64_t id = 0) {
  if (!is_wanted(kind)) return;
  Annotation annotation = annotation_of(kind, domain, text, id);
  record(annotation);
}

Status fail_not_pushed() {
  return fail(ACL_ERROR_INVALID_PARAM, kEH0009, "this thread has no range left to pop");
}

uint32_t open_range(OpenRange range) {
  OpenRanges& ranges = open_ranges();
  const std::lock_guard lock(ranges.mutex);
  do {
    ++ranges.last_id;
  } while (ranges.last_id == 0 || ranges.by_id.count(ranges.last_id) != 0);
  ranges.by_id.emplace(ranges.last_id, std::move(range));
  return ranges.last_id;
}

// A range taken out of the open ones. It comes back unless end() is called: if its task cannot be
// queued, it is still open.
class TakenRange {
 public:
  TakenRange(const char* domain, uint64_t id) {
    OpenRanges& ranges = open_ranges();
    const std::lock_guard lock(ranges.mutex);
    if (id > UINT32_MAX) return;
    const auto found = ranges.by_id.find(static_cast<uint32_t>(id));
    if (found == ranges.by_id.end() || found->second.domain != domain) return;
    node_ = ranges.by_id.extract(found);
  }
  ~TakenRange() {
    if (node_.empty()) return;
    OpenRanges& ranges = open_ranges();
    const std::lock_guard lock(ranges.mutex);
    ranges.by_id.insert(std::move(node_));
  }
  TakenRange(const TakenRange&) = delete;
  TakenRange& operator=(const TakenRange&) = delete;

  explicit operator bool() const { return !node_.empty(); }
  const OpenRange& operator*() const { return node_.mapped(); }
  void end() { node_ = {}; }

 private:
  std::unordered_map<uint32_t, OpenRange>::node_type node_;
};

// Ends the range with this number, unless that is 0, at the end of the block.
struct RangeToForget {
  ~RangeToForget() {
    if (id != 0) TakenRange(domain, id).end();
  }

  const char* domain;
  uint32_t id;
};

std::string text_of_id(uint64_t id) {
  KnownTexts& texts = known_texts();
  const std::lock_guard lock(texts.mutex);
  const auto found = texts.by_id.find(id);
  return found != texts.by_id.end() ? found->second : "text " + std::to_string(id);
}

}  // namespace

void record_mark(const char* domain, const char* text) {
  record_now(AnnotationKind::kMark, domain, text);
}

Result<uint32_t> start_range(const char* domain, const char* text, const Ref<Stream>& stream) {
  if (stream) FERRY_RETURN_IF_ERROR(stream->check_open_for_work());
  const uint32_t id = open_range({domain, text, stream ? stream->handle() : nullptr});
  record_now(AnnotationKind::kRangeStart, domain, text, id);
  if (!stream) return id;
  RangeToForget unless_queued{domain, id};
  FERRY_RETURN_IF_ERROR(
      submit_mark(*stream, annotation_of(AnnotationKind::kRangeStart, domain, text, id)));
  unless_queued.id = 0;
  return id;
}

Status end_range(const char* domain, uint64_t id) {
  TakenRange range(domain, id);
  if (!range) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "rangeId", id)
        .because(", which is not the number of an open range");
  }
  const OpenRange& open = *range;
  const char* const text = open.text.c_str();
  record_now(AnnotationKind::kRangeEnd, domain, text, id);
  // The end of a stream was the end of its ranges there.
  if (const Ref<Stream> stream = HandleTable<Stream>::instance().find(open.stream)) {
    FERRY_RETURN_IF_ERROR(
        submit_mark(*stream, annotation_of(AnnotationKind::kRangeEnd, domain, text, id)));
  }
  range.end();
  return {};
}

void push_stamp(const std::string& text) {
  own_ranges().stamps.push_back(text);
  record_now(AnnotationKind::kPush, "", text.c_str());
}

Status pop_stamp() {
  if (pushed_ranges == nullptr || pushed_ranges->stamps.empty()) return fail_not_pushed();
  record_now(AnnotationKind::kPop, "", pushed_ranges->stamps.back().c_str());
  pushed_ranges->stamps.pop_back();
  delete_own_ranges_if_empty();
  return {};
}

void push_tensors(const aclprofTensorInfo& info) {
  PushedTensors pushed;
  pushed.annotation =
      annotation_of(AnnotationKind::kPush, "", text_of_id(info.opNameId).c_str(), info.opNameId);
  pushed.annotation.tag = info.tensorNum;
  if (const Ref<Stream> stream = HandleTable<Stream>::instance().find(info.stream)) {
    pushed.annotation.stream = stream->id();
  }
  if (info.tensorNum > 0) pushed.tensors.assign(info.tensors, info.tensors + info.tensorNum);
  Annotation begun = pushed.annotation;
  own_ranges().tensors.push_back(std::move(pushed));
  record(begun);
}

Status pop_tensors() {
  if (pushed_ranges == nullptr || pushed_ranges->tensors.empty()) return fail_not_pushed();
  Annotation ended = pushed_ranges->tensors.back().annotation;
  ended.kind = AnnotationKind::kPop;
  record(ended);
  pushed_ranges->tensors.pop_back();
  delete_own_ranges_if_empty();
  return {};
}

uint64_t id_of_text(const char* text) {
  // FNV-1a with 64 bits.
  uint64_t id = 0xCBF29CE484222325;
  for (const char* byte = text; *byte != '\0'; ++byte) {
    id ^= static_cast<unsigned char>(*byte);
    id *= 0x100000001B3;
  }
  if (id == UINT64_MAX) id = 0;
  KnownTexts& texts = known_texts();
  const std::lock_guard lock(texts.mutex);
  if (texts.by_id.size() < KnownTexts::kMost) texts.by_id.try_emplace(id, text);
  return id;
}

}  // namespace ferry
