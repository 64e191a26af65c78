// SPDX-License-Identifier: Apache-2.0
// A connection between the two programs, for what is no payload: handles, keys and block tables.
#pragma once

#include <cstddef>
#include <string>

namespace prefill_decode {

// Ends the program when the other one is gone.
class Socket {
 public:
  // Waits at "address:port" for one connection; port 0: the system chooses. Prints the address.
  static Socket listen(const std::string& address);
  static Socket connect(const std::string& address);
  ~Socket();
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void send(const void* bytes, size_t count) const;
  void receive(void* bytes, size_t count) const;

 private:
  explicit Socket(int file) : file_(file) {}
  int file_;
};

}  // namespace prefill_decode
