// SPDX-License-Identifier: Apache-2.0
// How the program makes its calls: one that fails for lack of memory, a mapping or a thread is
// repeated and must then succeed; every other failure is a defect.
#pragma once

#include "acl/acl.h"

#include <cstddef>
#include <cstdint>

namespace failures {

// What calls may return.
enum class Expect {
  kSuccess,     // nothing fails
  kOneFailure,  // calls may fail as long as the library's own calls do; the next attempt succeeds
  kAnything     // the process has too little memory: any call may fail, none may end the process
};

// Thrown by a careful program: to go on after a call has failed may be a mistake.
struct HasFailed {};

// What happened so far. The program has one, and one thread that makes calls.
struct Outcome {
  Expect expect = Expect::kSuccess;
  uint64_t most_failures = 1;  // kOneFailure: calls of the library that fail
  uint64_t failures = 0;       // calls of the chapter that returned a failure which is allowed
  uint64_t failed_calls = 0;   // kAnything: calls that did not return what they should
  bool misuses = true;         // the program also makes mistakes, which the checker would report
  bool is_careful = false;     // kAnything: the program ends with the first call that fails
  bool is_good = true;
};
extern Outcome outcome;

// Whether the code says that the system had not enough of something, and it really refused.
bool is_shortage(aclError code);

// Prints what is wrong; the program then ends with a failure.
[[gnu::format(printf, 1, 2)]] void complain(const char* format, ...);
void complain_code(const char* call, aclError code, const char* when);

// Counts a call that did not return what it should, under kAnything.
void note_failure();

// Makes the call until it returns `wanted`, as often as the expectation allows.
template <class Call>
void attempt(const char* text, aclError wanted, Call call) {
  aclError code = call();
  if (outcome.expect == Expect::kAnything) {
    if (code != wanted) note_failure();
    return;
  }
  for (uint64_t i = 0; code != wanted; ++i) {
    if (outcome.expect == Expect::kSuccess || !is_shortage(code)) {
      return complain_code(text, code, "");
    }
    if (i == outcome.most_failures) return complain_code(text, code, ", also when repeated");
    ++outcome.failures;
    code = call();
  }
}

// The same for functions that return a pointer.
template <class Call>
auto attempt_pointer(const char* text, Call call) {
  auto made = call();
  for (uint64_t i = 0; made == nullptr && i < outcome.most_failures; ++i) {
    if (outcome.expect == Expect::kSuccess) break;
    ++outcome.failures;
    made = call();
  }
  if (made == nullptr && outcome.expect == Expect::kAnything) note_failure();
  if (made == nullptr && outcome.expect != Expect::kAnything) complain("%s returns NULL", text);
  return made;
}

// The bytes count only if no call of the chapter has failed.
void expect_filled(const char* what, const void* bytes, int value, size_t size);
void expect_equal(const char* what, uint64_t actual, uint64_t wanted);

}  // namespace failures

#define OK(call) ::failures::attempt(#call, ACL_SUCCESS, [&] { return call; })
#define CODE(wanted, call) ::failures::attempt(#call, wanted, [&] { return call; })
#define MADE(call) ::failures::attempt_pointer(#call, [&] { return call; })
