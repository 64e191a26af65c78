// SPDX-License-Identifier: Apache-2.0
// The peer of the tests of several processes: reads commands from standard input and answers each
// on standard output when it is done. It knows nothing but the bytes of its commands.
#include "command.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>

namespace peer {
namespace {

// Never destroyed: streams may use what is in it until the process is gone.
std::map<std::string, void*>& objects() {
  static auto* const s_objects = new std::map<std::string, void*>;
  return *s_objects;
}

uint8_t digit(char c) {
  return static_cast<uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10);
}

std::string hexadecimal(const std::vector<uint8_t>& bytes) {
  if (bytes.empty()) return "-";
  std::string text;
  for (const uint8_t byte : bytes) {
    text.push_back("0123456789abcdef"[byte >> 4]);
    text.push_back("0123456789abcdef"[byte & 15]);
  }
  return text;
}

const Command* find(const std::string& name) {
  for (const Command* table : {kMemoryCommands, kSharingCommands, kOrderCommands, kCopyCommands}) {
    for (; table->name != nullptr; ++table) {
      if (name == table->name) return table;
    }
  }
  return nullptr;
}

// Answers the command on standard output.
void obey(const std::string& line) {
  Words words(line);
  const std::string name = words.word();
  if (name == "exit") std::exit(words.signed_number());
  const Command* const command = find(name);
  if (command == nullptr) {
    std::fprintf(stderr, "ferry_peer: there is no command \"%s\"\n", name.c_str());
    std::_Exit(2);
  }
  aclGetRecentErrMsg();
  const Answer answer = command->run(words);
  const char* text = answer.code == ACL_SUCCESS ? nullptr : aclGetRecentErrMsg();
  std::string reason = text == nullptr ? "" : text;
  for (char& c : reason) {
    if (c == '\n') c = ' ';
  }
  std::printf("%d %s %s\n", answer.code, hexadecimal(answer.bytes).c_str(), reason.c_str());
  std::fflush(stdout);
}

}  // namespace

std::string Words::word() {
  std::string text;
  stream_ >> text;
  return text;
}

uint64_t Words::number() {
  const std::string text = word();
  return text[0] == '-' ? static_cast<uint64_t>(std::stoll(text)) : std::stoull(text);
}

std::vector<uint8_t> Words::bytes() {
  const std::string text = word();
  std::vector<uint8_t> bytes;
  if (text == "-") return bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(digit(text[i]) << 4 | digit(text[i + 1])));
  return bytes;
}

std::vector<int32_t> Words::numbers() {
  std::vector<int32_t> values;
  for (int32_t value = 0; stream_ >> value;)
    values.push_back(value);
  return values;
}

void* Words::object() {
  const auto found = objects().find(word());
  return found == objects().end() ? nullptr : found->second;
}

void* Words::address() {
  void* const start = object();
  return static_cast<char*>(start) + number();
}

Answer keep(const std::string& name, void* object, aclError code) {
  if (code == ACL_SUCCESS) objects()[name] = object;
  // As a number, so that a test can compare objects.
  return numbers(code, {reinterpret_cast<uintptr_t>(object)});
}

Answer numbers(aclError code, const std::vector<uint64_t>& values) {
  Answer answer{code, {}};
  for (const uint64_t value : values) {
    for (int shift = 0; shift < 64; shift += 8)
      answer.bytes.push_back(static_cast<uint8_t>(value >> shift));
  }
  return answer;
}

Answer bytes_of(aclError code, const void* first, size_t size) {
  const auto* const bytes = static_cast<const uint8_t*>(first);
  return {code, {bytes, bytes + size}};
}

std::vector<uint8_t> pattern(size_t size, uint64_t seed) {
  std::vector<uint8_t> bytes(size);
  uint32_t state = 2166136261u ^ static_cast<uint8_t>(seed);
  for (uint8_t& byte : bytes) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<uint8_t>(state >> 24);
  }
  return bytes;
}

}  // namespace peer

int main() {
  for (std::string line; std::getline(std::cin, line);)
    peer::obey(line);
  return 0;
}
