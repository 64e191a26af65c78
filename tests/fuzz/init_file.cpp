// SPDX-License-Identifier: Apache-2.0
// The JSON file of aclInit.
#include "api/init_file.h"

#include "fuzz.h"

#include <nlohmann/json.hpp>

using namespace ferry;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(fuzz::text_of(data, size));
  api::InitSettings settings;
  const Status status = api::parse_init_file("/file", text, settings);
  // The parser leaves out what has no effect; leaving out must not change what is JSON.
  const auto whole = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  fuzz::require((status.code() == ACL_ERROR_PARSE_FILE) == !whole.is_object(), "only objects");
  fuzz::require(status.ok() || status.code() == ACL_ERROR_PARSE_FILE ||
                    status.code() == ACL_ERROR_INVALID_PARAM,
                "the documented codes");
  fuzz::require(settings.default_device >= -1, "a device number, or none");
  return 0;
}
