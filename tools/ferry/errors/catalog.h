// SPDX-License-Identifier: Apache-2.0
// The catalogue of error codes and message codes: what each means, why it happens, what to do.
// The texts are in the .def files of this folder; the caller prints them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace ferry::tools {

struct ErrorEntry {
  int code;
  std::string_view name;
  std::string_view meaning;
  std::string_view cause;
  std::string_view remedy;
};

/// A further name of a code that has an entry under another name.
struct ErrorAlias {
  int code;
  std::string_view name;
};

/// The code in brackets at the end of an error text. In a family, `code` is what its codes begin
/// with.
struct MessageCode {
  std::string_view code;
  std::string_view tells;
};

/// All entries by rising code; each code occurs once.
std::span<const ErrorEntry> error_catalog();
std::span<const ErrorAlias> error_aliases();

/// The entry of a code, or null.
const ErrorEntry* find_error(int code);

/// The entries a name stands for. Case does not matter, and ACL_, ACL_ERROR_, ACL_ERROR_RT_ or
/// ACL_ERROR_GE_ may be left out, so that a short name may stand for several.
std::vector<const ErrorEntry*> find_errors(std::string_view name);

/// What a mistyped number or name may have meant: a few entries, the closest first.
std::vector<const ErrorEntry*> suggest_errors(std::string_view query);

std::span<const MessageCode> message_codes();
std::span<const MessageCode> message_families();

/// The entry of a message code, or null. Case and brackets around the code do not matter.
const MessageCode* find_message_code(std::string_view code);

/// The family of something that has the form of a message code, or null.
const MessageCode* find_message_family(std::string_view code);

/// What a mistyped message code may have meant: a few entries, the closest first.
std::vector<const MessageCode*> suggest_message_codes(std::string_view query);

}  // namespace ferry::tools
