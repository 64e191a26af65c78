// SPDX-License-Identifier: Apache-2.0
// Files that the user names: what may be read and written, and with which bound.
#include "base/user_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace ferry {
namespace {

class UserFile : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(nullptr, mkdtemp(folder_.data())); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const char* name) const { return folder_ + "/" + name; }
  std::string make_file(const std::string& text) const {
    std::ofstream(path("file")) << text;
    return path("file");
  }
  std::string make_fifo() const {
    EXPECT_EQ(0, mkfifo(path("fifo").c_str(), 0600));
    return path("fifo");
  }
  static std::string wrong_with(const std::string& path, uint64_t most) {
    std::string text;
    return read_user_file(path, most, text);
  }

 private:
  std::string folder_ = (std::filesystem::temp_directory_path() / "user-file-XXXXXX").string();
};

TEST_F(UserFile, IsReadUpToTheBound) {
  std::string text;
  EXPECT_EQ("", read_user_file(make_file("12345"), 5, text));
  EXPECT_EQ("12345", text);
  EXPECT_EQ("is longer than 4 bytes", wrong_with(path("file"), 4));
  EXPECT_EQ("", wrong_with(make_file(""), 0));
}

TEST_F(UserFile, MayBeAFileOfTheKernelWhoseSizeIsNotKnown) {
  std::string text;
  EXPECT_EQ("", read_user_file("/proc/self/status", 1 << 20, text));
  EXPECT_NE(std::string::npos, text.find("Pid:"));
  EXPECT_EQ("is longer than 10 bytes", wrong_with("/proc/self/status", 10));
}

TEST_F(UserFile, IsNotReadIfItIsNotRegular) {
  for (const std::string& name : {make_fifo(), std::string("/dev/zero"), std::string("/")})
    EXPECT_EQ("is not a regular file", wrong_with(name, 10)) << name;
  EXPECT_EQ("cannot be read: No such file or directory", wrong_with(path("missing"), 10));
}

TEST_F(UserFile, IsAppendedTo) {
  int file = -1;
  ASSERT_EQ("", open_user_file(make_file("one"), file));
  EXPECT_EQ(0, fcntl(file, F_GETFL) & O_NONBLOCK);
  EXPECT_EQ(3, write(file, "two", 3));
  close(file);
  std::string text;
  EXPECT_EQ("", read_user_file(path("file"), 10, text));
  EXPECT_EQ("onetwo", text);
}

TEST_F(UserFile, IsMadeIfItIsMissing) {
  int file = -1;
  EXPECT_EQ("", open_user_file(path("new"), file));
  close(file);
  EXPECT_TRUE(std::filesystem::is_regular_file(path("new")));
  EXPECT_EQ("cannot be opened: No such file or directory",
            open_user_file(path("folder/new"), file));
}

TEST_F(UserFile, MayBeAFifoOnlyIfItHasAReader) {
  const std::string fifo = make_fifo();
  int file = -1;
  EXPECT_EQ("is a FIFO without a reader, or a socket", open_user_file(fifo, file));
  const int reader = open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_EQ("", open_user_file(fifo, file));
  EXPECT_EQ(4, write(file, "line", 4));
  char got[8] = {};
  EXPECT_EQ(4, read(reader, got, sizeof got));
  close(reader);
  EXPECT_EQ(4, write(file, "more", 4)) << "no SIGPIPE without the reader";
  close(file);
}

}  // namespace
}  // namespace ferry
