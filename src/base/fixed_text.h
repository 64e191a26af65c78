// SPDX-License-Identifier: Apache-2.0
// A text of limited length that needs no heap: for failures that are kept while memory is short.
#pragma once

#include <cstdarg>
#include <cstdio>

namespace ferry {

class FixedText {
 public:
  FixedText() = default;
  [[gnu::format(printf, 2, 3)]] explicit FixedText(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text_, sizeof text_, format, arguments);
    va_end(arguments);
  }
  const char* c_str() const { return text_; }

 private:
  char text_[640] = {};  // longer ones are cut
};

}  // namespace ferry
