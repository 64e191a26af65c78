// SPDX-License-Identifier: Apache-2.0
// The error catalogue compared with the contract, the form of its texts, lookups and suggestions.
#include "errors/catalog.h"
#include "errors/edit_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::tools {
namespace {

using CodesByName = std::map<std::string, int>;

bool is_error_name(const std::string& name) {
  return name.starts_with("ACL_ERROR_") || name == "ACL_SUCCESS" || name == "ACL_RT_SUCCESS";
}

CodesByName contract_codes() {
  std::ifstream file(FERRY_CONTRACT_JSON);
  const nlohmann::json contract = nlohmann::json::parse(file);
  CodesByName codes;
  for (const char* section : {"constants", "macros"}) {
    for (const auto& [name, item] : contract.at(section).items()) {
      if (is_error_name(name)) codes[name] = std::stoi(item.at("value").get<std::string>());
    }
  }
  return codes;
}

CodesByName catalog_codes() {
  CodesByName codes;
  for (const ErrorEntry& entry : error_catalog())
    codes[std::string(entry.name)] = entry.code;
  for (const ErrorAlias& alias : error_aliases())
    codes[std::string(alias.name)] = alias.code;
  return codes;
}

// Describes what is wrong with a text; "" if nothing is.
std::string flaw(std::string_view text) {
  if (text.empty()) return "is empty";
  if (text.back() != '.') return "does not end with a full stop";
  if (std::isspace(static_cast<unsigned char>(text.front()))) return "starts with a space";
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const bool two_spaces = text[i] == ' ' && text[i + 1] == ' ';
    const bool glued = text[i] == '.' && std::isupper(static_cast<unsigned char>(text[i + 1])) != 0;
    if (two_spaces || glued) return "has a wrong space near position " + std::to_string(i);
    if (std::iscntrl(static_cast<unsigned char>(text[i]))) return "has a control character";
  }
  return {};
}

std::vector<int> codes_of(const std::vector<const ErrorEntry*>& entries) {
  std::vector<int> codes;
  codes.reserve(entries.size());
  for (const ErrorEntry* entry : entries)
    codes.push_back(entry->code);
  return codes;
}

std::vector<int> six_digit_numbers(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  std::vector<int> numbers;
  std::size_t begin = text.find_first_of(kDigits);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_not_of(kDigits, begin), text.size());
    if (end - begin == 6) numbers.push_back(std::stoi(std::string(text.substr(begin, 6))));
    begin = text.find_first_of(kDigits, end);
  }
  return numbers;
}

bool has(const std::vector<int>& codes, int code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

TEST(ErrorCatalog, HasExactlyTheCodesOfTheContract) {
  const CodesByName contract = contract_codes();
  const CodesByName catalog = catalog_codes();
  ASSERT_GT(contract.size(), 200U);
  for (const auto& [name, code] : contract) {
    const auto it = catalog.find(name);
    if (it == catalog.end()) {
      ADD_FAILURE() << name << " (" << code << ") has no entry";
    } else {
      EXPECT_EQ(it->second, code) << name;
    }
  }
  for (const auto& [name, code] : catalog) {
    EXPECT_TRUE(contract.contains(name)) << name << " (" << code << ") is not in the contract";
  }
  EXPECT_EQ(catalog.size(), error_catalog().size() + error_aliases().size())
      << "a name occurs twice";
}

TEST(ErrorCatalog, RisesByCode) {
  const auto entries = error_catalog();
  for (std::size_t i = 1; i < entries.size(); ++i) {
    EXPECT_LT(entries[i - 1].code, entries[i].code);
  }
}

TEST(ErrorCatalog, TextsAreWellFormed) {
  for (const ErrorEntry& entry : error_catalog()) {
    EXPECT_EQ(flaw(entry.meaning), "") << entry.code << " meaning: " << entry.meaning;
    EXPECT_EQ(flaw(entry.cause), "") << entry.code << " cause: " << entry.cause;
    EXPECT_EQ(flaw(entry.remedy), "") << entry.code << " remedy: " << entry.remedy;
  }
  for (const auto list : {message_codes(), message_families()}) {
    for (const MessageCode& entry : list) {
      EXPECT_EQ(flaw(entry.tells), "") << entry.code << ": " << entry.tells;
    }
  }
}

TEST(ErrorCatalog, NeverSendsTheReaderAway) {
  for (const ErrorEntry& entry : error_catalog()) {
    std::string remedy(entry.remedy);
    for (char& c : remedy)
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const char* phrase : {"contact", "technical support", "support team"}) {
      EXPECT_EQ(remedy.find(phrase), std::string::npos) << entry.code << ": " << entry.remedy;
    }
  }
}

// A six-digit number in a text refers to another entry, which must exist.
TEST(ErrorCatalog, CodesNamedInTextsExist) {
  int named = 0;
  for (const ErrorEntry& entry : error_catalog()) {
    for (const std::string_view text : {entry.meaning, entry.cause, entry.remedy}) {
      for (const int code : six_digit_numbers(text)) {
        ++named;
        EXPECT_NE(find_error(code), nullptr) << entry.code << " names " << code;
      }
    }
  }
  EXPECT_GT(named, 0);
}

TEST(FindError, ByCode) {
  for (const ErrorEntry& entry : error_catalog())
    EXPECT_EQ(find_error(entry.code), &entry);
  EXPECT_EQ(find_error(107002)->name, "ACL_ERROR_RT_CONTEXT_NULL");
  EXPECT_EQ(find_error(0)->name, "ACL_SUCCESS");
  EXPECT_EQ(find_error(-1), nullptr);
  EXPECT_EQ(find_error(145004), nullptr);
  EXPECT_EQ(find_error(999999), nullptr);
}

TEST(FindErrors, ByFullNameFindsOne) {
  for (const ErrorEntry& entry : error_catalog()) {
    EXPECT_EQ(codes_of(find_errors(entry.name)), std::vector{entry.code}) << entry.name;
  }
}

TEST(FindErrors, PrefixAndCaseDoNotMatter) {
  for (const char* name :
       {"acl_error_rt_context_null", "RT_CONTEXT_NULL", "CONTEXT_NULL", "Context_Null"}) {
    EXPECT_EQ(codes_of(find_errors(name)), std::vector{107002}) << name;
  }
  EXPECT_EQ(codes_of(find_errors("invalid_param")), std::vector{100000});
  EXPECT_EQ(codes_of(find_errors("host_memory_already_registered")), std::vector{507910});
}

TEST(FindErrors, AShortNameMayStandForSeveral) {
  EXPECT_EQ(codes_of(find_errors("INTERNAL_ERROR")), (std::vector{500000, 507000, 545000}));
  EXPECT_EQ(codes_of(find_errors("GROUP_NOT_SET")), (std::vector{100040, 107013}));
}

TEST(FindErrors, EveryNameOfSuccessFindsIt) {
  for (const char* name : {"ACL_SUCCESS", "ACL_ERROR_NONE", "ACL_RT_SUCCESS", "success", "none"}) {
    EXPECT_EQ(codes_of(find_errors(name)), std::vector{0}) << name;
  }
}

TEST(FindErrors, NothingForWhatIsNoName) {
  for (const char* name : {"", "ACL_ERROR_", "ACL_ERROR_RT_", "NULL", "107002", "CONTEXT"}) {
    EXPECT_TRUE(find_errors(name).empty()) << name;
  }
}

TEST(SuggestErrors, MistypedNumber) {
  EXPECT_TRUE(has(codes_of(suggest_errors("10702")), 107002));
  EXPECT_TRUE(has(codes_of(suggest_errors("1070002")), 107002));
  EXPECT_EQ(suggest_errors("570910").front()->code, 507910) << "two digits swapped";
  EXPECT_TRUE(suggest_errors("9999999999").empty());
  // Comparing it with every name would take seconds and gigabytes.
  const std::string endless(size_t{1} << 24, 'A');
  EXPECT_TRUE(suggest_errors(endless).empty());
  EXPECT_TRUE(suggest_message_codes(endless).empty());
}

TEST(SuggestErrors, MistypedName) {
  EXPECT_EQ(suggest_errors("ACL_ERROR_RT_CONTEXT_NUL").front()->code, 107002);
  EXPECT_EQ(suggest_errors("ACL_EROR_RT_CONTEXT_NULL").front()->code, 107002);
  EXPECT_EQ(suggest_errors("contxet_null").front()->code, 107002);
  EXPECT_EQ(suggest_errors("ACL_ERROR_NON").front()->code, 0);
  EXPECT_TRUE(suggest_errors("wholly_unrelated_words").empty());
  EXPECT_TRUE(suggest_errors("").empty());
}

TEST(SuggestErrors, PartOfAName) {
  const std::vector<int> codes = codes_of(suggest_errors("already_registered"));
  EXPECT_TRUE(has(codes, 507910));
  EXPECT_TRUE(has(codes, 100031));
  EXPECT_EQ(codes_of(suggest_errors("oom")), std::vector{207018});
}

TEST(SuggestErrors, OnlyAFew) {
  EXPECT_EQ(suggest_errors("timeout").size(), 5U);
}

TEST(MessageCodes, AreWrittenAsTwoLettersAndFourDigits) {
  for (const MessageCode& entry : message_codes()) {
    EXPECT_EQ(find_message_code(entry.code), &entry);
    EXPECT_NE(find_message_family(entry.code), nullptr) << entry.code;
  }
}

TEST(MessageCodes, CaseAndBracketsDoNotMatter) {
  for (const char* text : {"EE1003", "ee1003", "(EE1003)", "[EE1003]:"}) {
    ASSERT_NE(find_message_code(text), nullptr) << text;
    EXPECT_EQ(find_message_code(text)->code, "EE1003");
  }
  EXPECT_EQ(find_message_code(""), nullptr);
  EXPECT_EQ(find_message_code("EE100"), nullptr);
}

TEST(MessageCodes, FamilyAnswersForUnknownOnes) {
  EXPECT_EQ(find_message_code("EE4001"), nullptr);
  ASSERT_NE(find_message_family("EE4001"), nullptr);
  EXPECT_EQ(find_message_family("EE4001")->code, "EE");
  EXPECT_EQ(find_message_family("(eh0001)")->code, "EH");
  for (const char* text : {"EE", "EE40", "EE40011", "EEABCD", "XX1003", "107002", ""}) {
    EXPECT_EQ(find_message_family(text), nullptr) << text;
  }
}

TEST(MessageCodes, Suggestions) {
  const auto suggested = suggest_message_codes("EE103");
  ASSERT_FALSE(suggested.empty());
  EXPECT_EQ(suggested.front()->code, "EE1003");
  EXPECT_TRUE(suggest_message_codes("107002").empty());
  EXPECT_TRUE(suggest_message_codes("").empty());
}

TEST(EditDistance, CountsSingleEdits) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("107020", "170020"), 1U) << "neighbours swapped";
  EXPECT_EQ(edit_distance("same", "same"), 0U);
}

}  // namespace
}  // namespace ferry::tools
