// SPDX-License-Identifier: Apache-2.0
// A library whose constructor waits for a thread that misuses the API. The loader's lock is held
// meanwhile, so reporting the misuse has to wait for the names of functions until the constructor
// returns.
#include "acl/acl.h"

#include <thread>

namespace {

struct Constructor {
  Constructor() {
    std::thread([] {
      int not_a_stream = 0;
      aclrtSynchronizeStream(&not_a_stream);
    }).join();
  }
};
const Constructor kConstructor;

}  // namespace
