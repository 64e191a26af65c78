// SPDX-License-Identifier: Apache-2.0
// Turns the .def files of this folder into sorted tables and looks entries up in them.
#include "errors/catalog.h"

#include "errors/edit_distance.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace ferry::tools {
namespace {

constexpr bool code_less(const ErrorEntry& a, const ErrorEntry& b) {
  return a.code < b.code;
}

// The files are split by family, which is not the order of the numbers.
constexpr auto kErrors = [] {
#define FERRY_ERROR(code, name, meaning, cause, remedy) \
  ErrorEntry{code, #name, meaning, cause, remedy},
#define FERRY_ERROR_ALIAS(code, name)
  std::array entries{
#include "errors/acl_argument_errors.def"
#include "errors/acl_state_errors.def"
#include "errors/graph_errors.def"
#include "errors/runtime_argument_errors.def"
#include "errors/runtime_capture_errors.def"
#include "errors/runtime_device_errors.def"
#include "errors/runtime_failure_errors.def"
#include "errors/runtime_resource_errors.def"
  };
#undef FERRY_ERROR_ALIAS
#undef FERRY_ERROR
  std::sort(entries.begin(), entries.end(), code_less);
  return entries;
}();

static_assert(std::adjacent_find(kErrors.begin(), kErrors.end(),
                                 [](const ErrorEntry& a, const ErrorEntry& b) {
                                   return a.code == b.code;
                                 }) == kErrors.end(),
              "a code has two entries; give its further names with FERRY_ERROR_ALIAS");

#define FERRY_ERROR(code, name, meaning, cause, remedy)
#define FERRY_ERROR_ALIAS(code, name) ErrorAlias{code, #name},
constexpr std::array kAliases{
#include "errors/acl_argument_errors.def"
};
#undef FERRY_ERROR_ALIAS
#undef FERRY_ERROR

#define FERRY_MESSAGE_CODE(code, tells) MessageCode{code, tells},
#define FERRY_MESSAGE_FAMILY(prefix, tells)
constexpr std::array kMessageCodes{
#include "errors/message_codes.def"
};
#undef FERRY_MESSAGE_FAMILY
#undef FERRY_MESSAGE_CODE

#define FERRY_MESSAGE_CODE(code, tells)
#define FERRY_MESSAGE_FAMILY(prefix, tells) MessageCode{prefix, tells},
constexpr std::array kMessageFamilies{
#include "errors/message_codes.def"
};
#undef FERRY_MESSAGE_FAMILY
#undef FERRY_MESSAGE_CODE

// Longest first, so that the first that fits is the one to cut off.
constexpr std::array<std::string_view, 5> kNamePrefixes{"ACL_ERROR_RT_", "ACL_ERROR_GE_",
                                                        "ACL_ERROR_", "ACL_", ""};
constexpr std::size_t kMostSuggestions = 5;
// Beyond this many edits a suggestion is noise, however long the word is.
constexpr std::size_t kMostEdits = 3;
// A shorter part of a name occurs in too many of them to mean anything.
constexpr std::size_t kShortestPart = 3;

// std::isdigit and std::toupper depend on the locale and on the sign of char.
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

std::string_view without_brackets(std::string_view text) {
  const auto is_bare = [](char c) { return is_digit(c) || is_letter(c); };
  while (!text.empty() && !is_bare(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && !is_bare(text.back()))
    text.remove_suffix(1);
  return text;
}

std::string_view short_name(std::string_view name) {
  for (std::string_view prefix : kNamePrefixes) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

std::vector<std::string_view> names_of(const ErrorEntry& entry) {
  std::vector<std::string_view> names{entry.name};
  for (const ErrorAlias& alias : kAliases) {
    if (alias.code == entry.code) names.push_back(alias.name);
  }
  return names;
}

bool stands_for(std::string_view query, std::string_view name) {
  return !query.empty() &&
         std::any_of(kNamePrefixes.begin(), kNamePrefixes.end(), [&](std::string_view prefix) {
           return name.size() == prefix.size() + query.size() && name.starts_with(prefix) &&
                  name.ends_with(query);
         });
}

// Words whose lengths differ too much are not compared: that difference is more than what is close.
std::size_t distance_if_close(std::string_view a, std::string_view b) {
  const std::size_t difference = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
  return difference > kMostEdits ? difference : edit_distance(a, b);
}

std::size_t name_distance(std::string_view query, std::string_view name) {
  const std::string_view part = short_name(query);
  const std::size_t distance =
      std::min(distance_if_close(query, name), distance_if_close(part, short_name(name)));
  const bool is_part = part.size() >= kShortestPart && name.find(part) != std::string_view::npos;
  return is_part ? std::min<std::size_t>(distance, 1) : distance;
}

// Entries within the distance that a word of this length allows; ties keep the order of the table.
template <typename Entry, typename Distance>
std::vector<const Entry*> closest(std::span<const Entry> entries, std::size_t word_size,
                                  const Distance& distance) {
  const std::size_t most_edits = std::clamp<std::size_t>(word_size / 3, 1, kMostEdits);
  std::vector<std::pair<std::size_t, const Entry*>> found;
  for (const Entry& entry : entries) {
    const std::size_t edits = distance(entry);
    if (edits <= most_edits) found.emplace_back(edits, &entry);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (found.size() > kMostSuggestions) found.resize(kMostSuggestions);
  std::vector<const Entry*> result;
  result.reserve(found.size());
  for (const auto& candidate : found)
    result.push_back(candidate.second);
  return result;
}

}  // namespace

std::span<const ErrorEntry> error_catalog() {
  return kErrors;
}

std::span<const ErrorAlias> error_aliases() {
  return kAliases;
}

const ErrorEntry* find_error(int code) {
  const auto it = std::lower_bound(kErrors.begin(), kErrors.end(), code,
                                   [](const ErrorEntry& e, int wanted) { return e.code < wanted; });
  return it != kErrors.end() && it->code == code ? &*it : nullptr;
}

std::vector<const ErrorEntry*> find_errors(std::string_view name) {
  const std::string wanted = upper(name);
  std::vector<const ErrorEntry*> found;
  for (const ErrorEntry& entry : kErrors) {
    const std::vector<std::string_view> names = names_of(entry);
    if (std::any_of(names.begin(), names.end(),
                    [&](std::string_view known) { return stands_for(wanted, known); })) {
      found.push_back(&entry);
    }
  }
  return found;
}

std::vector<const ErrorEntry*> suggest_errors(std::string_view query) {
  if (query.empty()) return {};
  const std::span<const ErrorEntry> entries = kErrors;
  if (is_digit(query.front())) {
    return closest(entries, query.size(), [&](const ErrorEntry& entry) {
      return distance_if_close(query, std::to_string(entry.code));
    });
  }
  const std::string wanted = upper(query);
  return closest(entries, short_name(wanted).size(), [&](const ErrorEntry& entry) {
    std::size_t distance = wanted.size() + entry.name.size();
    for (std::string_view name : names_of(entry)) {
      distance = std::min(distance, name_distance(wanted, name));
    }
    return distance;
  });
}

std::span<const MessageCode> message_codes() {
  return kMessageCodes;
}

std::span<const MessageCode> message_families() {
  return kMessageFamilies;
}

const MessageCode* find_message_code(std::string_view code) {
  const std::string wanted = upper(without_brackets(code));
  const auto it = std::find_if(kMessageCodes.begin(), kMessageCodes.end(),
                               [&](const MessageCode& entry) { return entry.code == wanted; });
  return it != kMessageCodes.end() ? &*it : nullptr;
}

const MessageCode* find_message_family(std::string_view code) {
  const std::string wanted = upper(without_brackets(code));
  const auto it = std::find_if(
      kMessageFamilies.begin(), kMessageFamilies.end(), [&](const MessageCode& family) {
        return wanted.size() == family.code.size() + 4 && wanted.starts_with(family.code) &&
               std::all_of(wanted.end() - 4, wanted.end(), is_digit);
      });
  return it != kMessageFamilies.end() ? &*it : nullptr;
}

std::vector<const MessageCode*> suggest_message_codes(std::string_view query) {
  const std::string wanted = upper(without_brackets(query));
  return closest(std::span<const MessageCode>(kMessageCodes), wanted.size(),
                 [&](const MessageCode& entry) { return distance_if_close(wanted, entry.code); });
}

}  // namespace ferry::tools
