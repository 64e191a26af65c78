// SPDX-License-Identifier: Apache-2.0
// rule: none
// Device memory changes owners, and the last one frees it.
#include "corpus.h"

#include <utility>

using namespace corpus;

namespace {

struct Owner {
  void* block = nullptr;
  void give_back() const {
    if (block != nullptr) aclrtFree(block);
  }
};

}  // namespace

int main() {
  Device device;
  void* block = nullptr;
  need(aclrtMalloc(&block, kPage, ACL_MEM_MALLOC_HUGE_FIRST));
  Owner first{block};
  Owner second = std::exchange(first, {});
  first.give_back();
  second.give_back();
  return 0;
}
