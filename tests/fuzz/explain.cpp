// SPDX-License-Identifier: Apache-2.0
// What ferry explain is asked for: codes and names, also mistyped ones.
#include "errors/catalog.h"
#include "fuzz.h"

using namespace ferry;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view query = fuzz::text_of(data, size);
  for (const tools::ErrorEntry* entry : tools::find_errors(query))
    fuzz::require(tools::find_error(entry->code) == entry, "an entry has its own code");
  static_cast<void>(tools::suggest_errors(query));
  static_cast<void>(tools::suggest_message_codes(query));
  if (tools::find_message_code(query) != nullptr) {
    fuzz::require(tools::find_message_family(query) != nullptr, "a message code has a family");
  }
  return 0;
}
