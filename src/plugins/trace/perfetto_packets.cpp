// SPDX-License-Identifier: Apache-2.0
#include "plugins/trace/perfetto_packets.h"

#include "plugins/trace/utf8.h"

#include <protozero/varint.hpp>

namespace ferry::plugins::trace {

using protozero::pbf_writer;

uint64_t Interned::id_of(std::string_view text, uint32_t field, std::string& data) {
  constexpr size_t kMost = 10'000;
  if (const auto known = ids_.find(text); known != ids_.end()) return known->second;
  if (ids_.size() >= kMost) return 0;
  const uint64_t id = ids_.size() + 1;
  ids_.emplace(text, id);
  pbf_writer writer(data);
  pbf_writer one(writer, field);
  one.add_uint64(fields::interned_text::kId, id);
  one.add_string(fields::interned_text::kName, text.data(), text.size());
  return id;
}

void Annotation::text(std::string_view value) {
  std::string room;
  const std::string_view cleaned = clean(value, room);
  writer_.add_string(fields::annotation::kText, cleaned.data(), cleaned.size());
}

void PerfettoPackets::append_packet() {
  // The packets of a trace follow each other: a trace that was cut off anywhere loses but the last.
  std::string head;
  protozero::add_varint_to_buffer(&head, fields::trace::kPacket << 3 | 2);
  protozero::add_varint_to_buffer(&head, packet_.size());
  bytes_.add(head);
  bytes_.add(packet_);
}

void PerfettoPackets::begin_packet(uint64_t time, uint32_t flags) {
  packet_.clear();
  pbf_writer writer(packet_);
  writer.add_uint64(fields::packet::kTimestamp, time);
  writer.add_uint32(fields::packet::kSequence, sequence_);
  // Readers drop packets that need the interned texts until one says that these begin with it.
  if (is_first_) flags |= fields::packet::kStateCleared;
  is_first_ = false;
  if (flags != 0) writer.add_uint32(fields::packet::kSequenceFlags, flags);
}

void PerfettoPackets::send_message(uint32_t field, const std::string& message) {
  begin_packet(clock_, 0);
  pbf_writer(packet_).add_message(field, message);
  append_packet();
}

void PerfettoPackets::event(int32_t type, uint64_t track, int64_t time) {
  event_.clear();
  interned_.clear();
  time_ = clock_ + static_cast<uint64_t>(time);
  pbf_writer writer(event_);
  writer.add_enum(fields::event::kType, type);
  writer.add_uint64(fields::event::kTrack, track);
}

void PerfettoPackets::category(std::string_view category) {
  const uint64_t id = categories_.id_of(category, fields::interned::kCategories, interned_);
  pbf_writer(event_).add_uint64(fields::event::kCategoryId, id);
}

void PerfettoPackets::name(std::string_view name) {
  const std::string_view cleaned = clean(name, cleaned_);
  const uint64_t id = names_.id_of(cleaned, fields::interned::kEventNames, interned_);
  pbf_writer writer(event_);
  if (id != 0) return writer.add_uint64(fields::event::kNameId, id);
  writer.add_string(fields::event::kName, cleaned.data(), cleaned.size());
}

void PerfettoPackets::flow(uint64_t id) {
  pbf_writer(event_).add_fixed64(fields::event::kFlow, id);
}

void PerfettoPackets::counter(uint64_t value) {
  pbf_writer(event_).add_int64(fields::event::kCounterValue, static_cast<int64_t>(value));
}

void PerfettoPackets::send() {
  begin_packet(time_, fields::packet::kNeedsState);
  pbf_writer writer(packet_);
  if (!interned_.empty()) writer.add_message(fields::packet::kInternedData, interned_);
  writer.add_message(fields::packet::kTrackEvent, event_);
  append_packet();
}

}  // namespace ferry::plugins::trace
