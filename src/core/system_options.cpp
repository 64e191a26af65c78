// SPDX-License-Identifier: Apache-2.0
// The options of the process.
#include "core/system_options.h"

namespace ferry {

SystemOptions& process_options() {
  static constinit SystemOptions options;
  return options;
}

}  // namespace ferry
