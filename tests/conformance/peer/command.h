// SPDX-License-Identifier: Apache-2.0
// The commands of the peer: a second process that the tests drive step by step. A command is a line
// of words; the answer is a line with a code, bytes and the text of the failure.
#pragma once

#include "acl/acl.h"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace peer {

constexpr size_t kKeySize = 65;  // of memory and of notifies

// The rest of a command. Objects are called by names that the tests choose; numbers are decimal;
// bytes are hexadecimal digits, "-" for none.
class Words {
 public:
  explicit Words(const std::string& line) : stream_(line) {}

  std::string word();
  uint64_t number();
  int32_t signed_number() { return static_cast<int32_t>(number()); }
  std::vector<uint8_t> bytes();
  // All that are left.
  std::vector<int32_t> numbers();
  // The object with the name; nullptr when there is none.
  void* object();
  // An address: the name of one, and an offset.
  void* address();

 private:
  std::istringstream stream_;
};

struct Answer {
  aclError code = ACL_SUCCESS;
  std::vector<uint8_t> bytes;
};

// Keeps an object under a name, if the call that made it succeeded.
Answer keep(const std::string& name, void* object, aclError code);
// Numbers as bytes, 8 for each, lowest first.
Answer numbers(aclError code, const std::vector<uint64_t>& values);
// Objects of the API as bytes.
Answer bytes_of(aclError code, const void* first, size_t size);

// As the tests have it: bytes that differ between seeds and between positions.
std::vector<uint8_t> pattern(size_t size, uint64_t seed);

struct Command {
  const char* name;
  Answer (*run)(Words& words);
};

// The tables end with a name that is NULL.
extern const Command kMemoryCommands[];
extern const Command kSharingCommands[];
extern const Command kOrderCommands[];
extern const Command kCopyCommands[];

}  // namespace peer
