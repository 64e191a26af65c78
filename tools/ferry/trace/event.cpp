// SPDX-License-Identifier: Apache-2.0
// Takes lines of a trace apart, with RapidJSON's parser that makes no tree and works in place.
#include "trace/event.h"

#include <rapidjson/reader.h>

#include <charconv>
#include <limits>

namespace ferry::tools::trace {
namespace {

// In the order of Key.
constexpr std::array<std::string_view, kKeys> kNames{
    "address",    "args",     "arguments", "begin",    "build_id",    "bytes",   "cann",
    "call",       "cat",      "check",     "contents", "correlation", "device",  "devices",
    "direction",  "domain",   "dropped",   "dst",      "dst_pitch",   "dsts",    "dur",
    "end",        "ferry",    "format",    "frames",   "hash",        "id",      "items",
    "kind",       "largest",  "marker",    "memory",   "model",       "modules", "name",
    "neighbours", "offset",   "path",      "peer",     "ph",          "pid",     "program",
    "result",     "run",      "schedule",  "script",   "severity",    "site",    "size",
    "sizes",      "smallest", "soc",       "src",      "src_pitch",   "srcs",    "stack",
    "started",    "stream",   "submitted", "task",     "text",        "tid",     "ts",
    "unfinished", "width",    "work",      "works"};

// A table with open addressing: a trace has some ten million names.
constexpr size_t kSlots = 256;

constexpr size_t slot_of(std::string_view name) {
  const auto first = static_cast<unsigned char>(name.front());
  const auto last = static_cast<unsigned char>(name.back());
  return (first * 5U + last * 31U + name.size() * 17U) % kSlots;
}

constexpr std::array<Key, kSlots> make_slots() {
  std::array<Key, kSlots> slots{};
  slots.fill(Key::kCount);
  for (size_t key = 0; key < kKeys; ++key) {
    size_t slot = slot_of(kNames[key]);
    while (slots[slot] != Key::kCount)
      slot = (slot + 1) % kSlots;
    slots[slot] = static_cast<Key>(key);
  }
  return slots;
}

constexpr std::array<Key, kSlots> kSlotKeys = make_slots();

using Member = Key;  // Handler has a function with the other name

// Bounds the memory that a hostile line can ask for.
constexpr size_t kMostRows = 65536;

// What RapidJSON's parser calls. Depths: 1 the event, 2 its args, 3 a list in args, 4 an object in
// the list. What is elsewhere is skipped.
class Handler {
 public:
  explicit Handler(Event& event) : event_(event) {}

  // NOLINTBEGIN(readability-identifier-naming): the parser's names
  static bool Null() { return true; }
  bool Bool(bool value) { return take(value ? "true" : "false"); }
  // All numbers come as RawNumber.
  static bool Int(int) { return false; }
  static bool Uint(unsigned) { return false; }
  static bool Int64(int64_t) { return false; }
  static bool Uint64(uint64_t) { return false; }
  static bool Double(double) { return false; }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) { return take({text, size}); }
  bool String(const char* text, rapidjson::SizeType size, bool) { return take({text, size}); }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    const Member key = key_of({text, size});
    if (depth_ == 1) top_key_ = key;
    if (depth_ == 2) args_key_ = key;
    if (depth_ == 4) row_key_ = key;
    return true;
  }
  bool StartObject() {
    ++depth_;
    if (depth_ == 2) is_in_args_ = top_key_ == Member::kArgs;
    if (depth_ != 4 || !is_in_list_) return true;
    if (event_.rows.size() == kMostRows) return false;
    is_in_row_ = true;
    event_.rows.emplace_back();
    event_.row_lists.push_back(args_key_);
    return true;
  }
  bool EndObject(rapidjson::SizeType) {
    leave();
    return true;
  }
  bool StartArray() {
    ++depth_;
    if (depth_ == 3) is_in_list_ = is_in_args_ && args_key_ != Member::kCount;
    return depth_ > 1;
  }
  bool EndArray(rapidjson::SizeType) {
    leave();
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  void leave() {
    if (depth_ == 2) is_in_args_ = false;
    if (depth_ == 3) is_in_list_ = false;
    if (depth_ == 4) is_in_row_ = false;
    --depth_;
  }

  bool take(std::string_view value) {
    if (depth_ == 1 && top_key_ != Member::kCount) event_.top.set(top_key_, value);
    if (depth_ == 2 && is_in_args_ && args_key_ != Member::kCount) {
      event_.args.set(args_key_, value);
    }
    if (depth_ == 3 && is_in_list_) event_.list.emplace_back(args_key_, value);
    if (depth_ == 4 && is_in_row_ && row_key_ != Member::kCount) {
      event_.rows.back().set(row_key_, value);
    }
    return depth_ > 0;
  }

  Event& event_;
  int depth_ = 0;
  Member top_key_ = Member::kCount;
  Member args_key_ = Member::kCount;
  Member row_key_ = Member::kCount;
  bool is_in_args_ = false;
  bool is_in_list_ = false;
  bool is_in_row_ = false;
};

bool parse_digits(std::string_view digits, int base, uint64_t& number) {
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number, base);
  return error == std::errc() && stop != digits.data();
}

}  // namespace

Key key_of(std::string_view name) {
  if (name.empty()) return Key::kCount;
  for (size_t slot = slot_of(name);; slot = (slot + 1) % kSlots) {
    const Key key = kSlotKeys[slot];
    if (key == Key::kCount || kNames[static_cast<size_t>(key)] == name) return key;
  }
}

bool parse_number(std::string_view text, uint64_t& number) {
  if (text.starts_with("0x")) return parse_digits(text.substr(2), 16, number);
  return parse_digits(text, 10, number);
}

uint64_t Members::number(Key key, uint64_t otherwise) const {
  uint64_t number = 0;
  return has(key) && parse_number(text(key), number) ? number : otherwise;
}

int64_t Members::integer(Key key, int64_t otherwise) const {
  const std::string_view written = text(key);
  int64_t number = 0;
  const auto [stop, error] =
      std::from_chars(written.data(), written.data() + written.size(), number);
  return has(key) && error == std::errc() ? number : otherwise;
}

int32_t Members::small_integer(Key key, int32_t otherwise) const {
  const int64_t number = integer(key, otherwise);
  const bool fits = number >= std::numeric_limits<int32_t>::min() &&
                    number <= std::numeric_limits<int32_t>::max();
  return fits ? static_cast<int32_t>(number) : otherwise;
}

int64_t Members::nanoseconds(Key key, int64_t otherwise) const {
  std::string_view written = text(key);
  const bool is_negative = written.starts_with('-');
  if (is_negative) written.remove_prefix(1);
  int64_t whole = 0;
  const char* end = written.data() + written.size();
  auto [stop, error] = std::from_chars(written.data(), end, whole);
  // A century: sums of times cannot overflow.
  constexpr int64_t kMostMicroseconds = int64_t{100} * 366 * 86400 * 1'000'000;
  if (error != std::errc() || whole > kMostMicroseconds || whole < 0) return otherwise;
  int64_t result = whole * 1000;
  if (stop != end && (*stop == 'e' || *stop == 'E')) return otherwise;
  if (stop != end && *stop == '.') ++stop;
  for (int64_t unit = 100; unit > 0 && stop != end && *stop >= '0' && *stop <= '9'; unit /= 10)
    result += unit * (*stop++ - '0');
  return is_negative ? -result : result;
}

void Event::clear() {
  top.clear();
  args.clear();
  list.clear();
  rows.clear();
  row_lists.clear();
}

bool parse_event(char* line, Event& event) {
  event.clear();
  rapidjson::InsituStringStream stream(line);
  rapidjson::Reader reader;
  Handler handler(event);
  constexpr unsigned kFlags = rapidjson::kParseInsituFlag | rapidjson::kParseIterativeFlag |
                              rapidjson::kParseNumbersAsStringsFlag;
  return !reader.Parse<kFlags>(stream, handler).IsError();
}

}  // namespace ferry::tools::trace
