// SPDX-License-Identifier: Apache-2.0
// The secret that processes share, and proofs that a process knows it: keyed hashes of libsodium
// over both nonces of a connection.
#pragma once

#include "plugins/fabric/wire.h"

#include <array>
#include <string>

namespace ferry::fabric {

// Constant once it is read.
class Secret {
 public:
  // "" or what is wrong. The file must be a regular one of this user, with mode 0600 or less, of 16
  // to 4096 bytes.
  std::string read(const std::string& path);

  enum class Role { kVisitor, kOwner };
  Proof prove(Role role, const Nonce& visitor, const Nonce& owner) const;
  // In constant time.
  bool is_proof(const Proof& proof, Role role, const Nonce& visitor, const Nonce& owner) const;
  // Both sides of a connection derive the same one; nobody else can.
  Token token(const Nonce& visitor, const Nonce& owner) const;

 private:
  std::array<uint8_t, 32> key_{};
};

Nonce make_nonce();

}  // namespace ferry::fabric
