// SPDX-License-Identifier: Apache-2.0
// What all rules share.
#include "layers/check/rules/rule.h"

#include <utility>

namespace ferry::layers::check {

Finding Rule::finding(std::string sentence, std::vector<Place> places, aclError code) const {
  Finding found;
  found.rule = &info_;
  found.sentence = std::move(sentence);
  found.places = std::move(places);
  found.code = code;
  return found;
}

}  // namespace ferry::layers::check
