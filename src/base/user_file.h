// SPDX-License-Identifier: Apache-2.0
// Files that the user names. Anything may be there: a FIFO without a writer, a device without an
// end, a file of many gigabytes. Opening never blocks, and reading has a bound.
#pragma once

#include <cstdint>
#include <string>

namespace ferry {

// Reads a regular file of at most `most` bytes. Returns "" or what is wrong, as the rest of a
// sentence about the file: "is not a regular file".
std::string read_user_file(const std::string& path, uint64_t most, std::string& text);

// Opens a file to append to: a regular file, which is made if it is missing, a character device, or
// a FIFO that has a reader. A FIFO that is full loses what is written: it never blocks. Returns ""
// or what is wrong, as above.
std::string open_user_file(const std::string& path, int& file);

}  // namespace ferry
