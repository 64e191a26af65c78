// SPDX-License-Identifier: Apache-2.0
// The secret that a benchmark and the peer that it starts prove to each other, in a file of its
// own.
#pragma once

#include <string>

namespace ferry::bench::fabric {

/// Sets FERRY_FABRIC for this process and its children, unless it is set: over loopback, also
/// between processes of one host. Must be made before this process uses the library, which reads
/// the variable once. The file is removed with this object.
class LocalSecret {
 public:
  LocalSecret();
  ~LocalSecret();
  LocalSecret(const LocalSecret&) = delete;
  LocalSecret& operator=(const LocalSecret&) = delete;

 private:
  std::string path_;
};

}  // namespace ferry::bench::fabric
