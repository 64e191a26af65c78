// SPDX-License-Identifier: Apache-2.0
// Records of findings and annotations, with their texts.
#include "layers/trace/notes.h"

#include "layers/trace/recorder.h"

#include <cstring>

namespace ferry::layers::trace {

void note_finding(const char* rule, const char* severity, const char* text) {
  ThreadState* const state = Recorder::is_recording() ? thread_state() : nullptr;
  if (state == nullptr) return;
  const size_t length = strnlen(text, Buffer::kLargestRecord);
  FindingRecord record{
      {.size = 0, .type = RecordType::kFinding, .parts = 0}, now(), rule, severity, length};
  record.size = static_cast<uint32_t>(rounded(sizeof record + length));
  state->note(record, sizeof record, text, length);
}

void note_annotation(const Note& note) {
  ThreadState* const state = Recorder::is_recording() ? thread_state() : nullptr;
  if (state == nullptr) return;
  char texts[512];
  const size_t name = strnlen(note.name, 255) + 1;
  const size_t domain = strnlen(note.domain, 127) + 1;
  std::memcpy(texts, note.name, name - 1);
  texts[name - 1] = '\0';
  std::memcpy(texts + name, note.domain, domain - 1);
  texts[name + domain - 1] = '\0';
  AnnotationRecord record{{.size = 0, .type = RecordType::kAnnotation, .parts = 0},
                          static_cast<int64_t>(note.time),
                          note.id,
                          note.thread,
                          note.kind,
                          note.stream,
                          static_cast<uint32_t>(name),
                          static_cast<uint32_t>(domain),
                          0};
  record.size = static_cast<uint32_t>(rounded(sizeof record + name + domain));
  state->note(record, sizeof record, texts, name + domain);
}

}  // namespace ferry::layers::trace
