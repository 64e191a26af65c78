// SPDX-License-Identifier: Apache-2.0
// Builds the packets of a Perfetto trace with protozero; texts that repeat are interned.
#pragma once

#include "plugins/trace/output.h"
#include "plugins/trace/perfetto_fields.h"

#include <concepts>
#include <cstdint>
#include <functional>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ferry::plugins::trace {

// Numbers for texts of one kind. Texts beyond the limit get none: a program may make new names
// for ever.
class Interned {
 public:
  // 0: none. A new text is written to `data`, in a field of InternedData.
  uint64_t id_of(std::string_view text, uint32_t field, std::string& data);

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, uint64_t, Hash, std::equal_to<>> ids_;
};

// One value with its name: a debug annotation. Values nest.
class Annotation {
 public:
  explicit Annotation(std::string& data) : writer_(data) {}
  void name_id(uint64_t id) { writer_.add_uint64(fields::annotation::kNameId, id); }
  void name(std::string_view name) {
    writer_.add_string(fields::annotation::kName, name.data(), name.size());
  }
  void number(uint64_t value) { writer_.add_uint64(fields::annotation::kUnsigned, value); }
  void number(int64_t value) { writer_.add_int64(fields::annotation::kSigned, value); }
  void decimal(double value) { writer_.add_double(fields::annotation::kDouble, value); }
  void truth(bool value) { writer_.add_bool(fields::annotation::kTruth, value); }
  void address(uint64_t value) { writer_.add_uint64(fields::annotation::kPointer, value); }
  void text(std::string_view value);
  // `fill` gets an Annotation.
  template <typename Fill>
  void element(Fill fill) {
    nested(fields::annotation::kArray, fill);
  }
  template <typename Fill>
  void member(std::string_view key, Fill fill) {
    nested(fields::annotation::kMembers, [&](Annotation& value) {
      value.name(key);
      fill(value);
    });
  }

 private:
  template <typename Fill>
  void nested(uint32_t field, Fill fill) {
    std::string data;
    Annotation value(data);
    fill(value);
    writer_.add_message(field, data);
  }

  protozero::pbf_writer writer_;
};

// The packet that is being built; `send` appends it to the file.
class PerfettoPackets {
 public:
  // Texts are interned per sequence.
  PerfettoPackets(Bytes& bytes, uint32_t sequence) : bytes_(bytes), sequence_(sequence) {}
  Bytes& bytes() { return bytes_; }

  // A packet with one message; timestamps count from the start of the trace.
  void send_message(uint32_t field, const std::string& message);

  // Begins an event. Then come its parts, then `send`.
  void event(int32_t type, uint64_t track, int64_t time);
  void category(std::string_view category);
  void name(std::string_view name);
  void flow(uint64_t id);
  void counter(uint64_t value);
  template <typename Fill>
  void annotation(std::string_view key, Fill fill) {
    annotation_.clear();
    Annotation value(annotation_);
    value.name_id(keys_.id_of(key, fields::interned::kAnnotationNames, interned_));
    fill(value);
    protozero::pbf_writer(event_).add_message(fields::event::kAnnotation, annotation_);
  }
  template <std::unsigned_integral N>
  void number(std::string_view key, N number) {
    annotation(key, [&](Annotation& value) { value.number(static_cast<uint64_t>(number)); });
  }
  template <std::signed_integral N>
  void number(std::string_view key, N number) {
    annotation(key, [&](Annotation& value) { value.number(static_cast<int64_t>(number)); });
  }
  void text(std::string_view key, std::string_view text) {
    annotation(key, [&](Annotation& value) { value.text(text); });
  }
  void address(std::string_view key, uint64_t address) {
    annotation(key, [&](Annotation& value) { value.address(address); });
  }
  void send();

  // Time 0 on the clock of the trace. What began before the trace did has a negative time.
  void set_clock(uint64_t clock) { clock_ = clock; }
  uint64_t clock() const { return clock_; }

 private:
  void begin_packet(uint64_t time, uint32_t flags);
  void append_packet();

  Bytes& bytes_;
  const uint32_t sequence_;
  uint64_t clock_ = 0;
  bool is_first_ = true;
  Interned categories_;
  Interned names_;
  Interned keys_;
  // Kept for their memory.
  std::string packet_;
  std::string event_;
  std::string interned_;
  std::string annotation_;
  std::string cleaned_;
  uint64_t time_ = 0;
};

}  // namespace ferry::plugins::trace
