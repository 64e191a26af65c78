// SPDX-License-Identifier: Apache-2.0
#include "plugins/trace/place.h"

#include "plugins/trace/format.h"
#include "plugins/trace/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ferry::plugins::trace {
namespace {

constexpr const char* kFileOfFolder = "trace_view.json";  // what MindStudio Insight looks for

std::string with_reason(const char* what, int code) {
  return std::string(what) + ": " + std::strerror(code);
}

// The folder in which a file or folder of that name would be created.
std::string parent_of(std::string path) {
  while (path.size() > 1 && path.ends_with('/'))
    path.pop_back();
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string wrong_with_parent(const std::string& path) {
  const std::string parent = parent_of(path);
  struct stat status {};
  if (stat(parent.c_str(), &status) != 0) {
    return "cannot be created: " + parent + ": " + std::strerror(errno);
  }
  if (!S_ISDIR(status.st_mode)) return "cannot be created: " + parent + " is not a folder";
  if (access(parent.c_str(), W_OK | X_OK) != 0) {
    return "cannot be created: " + parent + ": " + std::strerror(errno);
  }
  return "";
}

std::string wrong_with_file(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) return with_reason("cannot be examined", errno);
    return wrong_with_parent(path);
  }
  if (S_ISDIR(status.st_mode)) return "is a folder; a / at its end writes a trace into it";
  if (!S_ISREG(status.st_mode)) return "is not a regular file";
  if (access(path.c_str(), W_OK) != 0) return with_reason("cannot be written", errno);
  return "";
}

std::string wrong_with_folder(const Place& place) {
  struct stat status {};
  if (stat(place.folder.c_str(), &status) != 0) {
    if (errno != ENOENT) return with_reason("cannot be examined", errno);
    return wrong_with_parent(place.folder);
  }
  if (!S_ISDIR(status.st_mode)) return "is not a folder";
  const std::string wrong = wrong_with_file(place.file);
  return wrong.empty() ? "" : "cannot be used: " + place.file + " " + wrong;
}

}  // namespace

Place place_of(const std::string& path) {
  Place place;
  if (path.ends_with('/')) {
    place.folder = path;
    place.file = path + kFileOfFolder;
    return place;
  }
  place.file = path;
  std::string name = path;
  place.is_compressed = name.ends_with(".gz");
  if (place.is_compressed) name.resize(name.size() - 3);
  place.is_perfetto = name.ends_with(".pftrace");
  return place;
}

std::string what_is_wrong_with(const std::string& path) {
  if (path.empty()) return "is empty";
  const Place place = place_of(path);
  if (place.is_compressed && !can_compress()) {
    return "cannot be compressed: Ferry was built without zlib";
  }
  if (place.is_perfetto && !can_write_perfetto()) {
    return "cannot be written: Ferry was built without protozero, so there is no .pftrace";
  }
  return place.folder.empty() ? wrong_with_file(place.file) : wrong_with_folder(place);
}

std::string prepare(const Place& place) {
  constexpr mode_t kMode = 0777;  // less the umask
  if (place.folder.empty() || mkdir(place.folder.c_str(), kMode) == 0 || errno == EEXIST) return "";
  return with_reason("cannot be created", errno);
}

}  // namespace ferry::plugins::trace
