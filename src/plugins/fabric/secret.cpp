// SPDX-License-Identifier: Apache-2.0
// BLAKE2b with the hash of the file as its key. Each use hashes a label of its own first.
#include "plugins/fabric/secret.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ferry::fabric {
namespace {

constexpr size_t kLeastBytes = 16;
constexpr size_t kMostBytes = 4096;

std::string check_file(int file) {
  struct stat facts {};
  if (fstat(file, &facts) != 0) return std::string("cannot be looked at: ") + std::strerror(errno);
  if (!S_ISREG(facts.st_mode)) return "is not a regular file";
  if (facts.st_uid != geteuid()) return "does not belong to this user";
  if ((facts.st_mode & 0177) != 0) {
    return "can be read by others: its mode must be 0600 (chmod 600)";
  }
  const auto size = static_cast<uint64_t>(facts.st_size);
  if (size < kLeastBytes || size > kMostBytes) {
    return "has " + std::to_string(size) +
           " bytes, allowed are 16 to 4096 (head -c 32 /dev/urandom makes a good one)";
  }
  return {};
}

template <size_t kSize>
std::array<uint8_t, kSize> keyed_hash(const std::array<uint8_t, 32>& key, const char* label,
                                      const Nonce& visitor, const Nonce& owner) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, key.data(), key.size(), kSize);
  crypto_generichash_update(&state, reinterpret_cast<const uint8_t*>(label),
                            std::strlen(label) + 1);
  crypto_generichash_update(&state, visitor.data(), visitor.size());
  crypto_generichash_update(&state, owner.data(), owner.size());
  std::array<uint8_t, kSize> hash{};
  crypto_generichash_final(&state, hash.data(), hash.size());
  return hash;
}

const char* label_of(Secret::Role role) {
  return role == Secret::Role::kVisitor ? "ferry fabric 1 visitor" : "ferry fabric 1 owner";
}

}  // namespace

std::string Secret::read(const std::string& path) {
  if (sodium_init() < 0) return "cannot be used: libsodium does not start";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return std::string("cannot be opened: ") + std::strerror(errno);
  std::string wrong = check_file(file);
  std::array<uint8_t, kMostBytes> bytes{};
  ssize_t count = 0;
  if (wrong.empty()) {
    count = ::read(file, bytes.data(), bytes.size());
    if (count < static_cast<ssize_t>(kLeastBytes)) wrong = "cannot be read";
  }
  ::close(file);
  if (wrong.empty()) {
    crypto_generichash(key_.data(), key_.size(), bytes.data(), static_cast<size_t>(count), nullptr,
                       0);
  }
  sodium_memzero(bytes.data(), bytes.size());
  return wrong;
}

Proof Secret::prove(Role role, const Nonce& visitor, const Nonce& owner) const {
  return keyed_hash<kProofSize>(key_, label_of(role), visitor, owner);
}

bool Secret::is_proof(const Proof& proof, Role role, const Nonce& visitor,
                      const Nonce& owner) const {
  const Proof expected = prove(role, visitor, owner);
  return sodium_memcmp(proof.data(), expected.data(), expected.size()) == 0;
}

Token Secret::token(const Nonce& visitor, const Nonce& owner) const {
  return keyed_hash<kTokenSize>(key_, "ferry fabric 1 token", visitor, owner);
}

Nonce make_nonce() {
  Nonce nonce{};
  randombytes_buf(nonce.data(), nonce.size());
  return nonce;
}

}  // namespace ferry::fabric
