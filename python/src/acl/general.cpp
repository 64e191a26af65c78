// SPDX-License-Identifier: Apache-2.0
// acl: initialisation, versions, error texts, the log, and numbers. Data buffers are in
// data_buffer.cpp.
#include "binding.h"
#include "chapters.h"
#include "text.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <optional>
#include <vector>

namespace ferry::python {
namespace {

nb::tuple get_version_str(const std::string& package) {
  std::string name = package;
  std::array<char, ACL_PKG_VERSION_MAX_SIZE> version{};
  const aclError code = aclsysGetVersionStr(name.data(), version.data());
  return nb::make_tuple(text_of(version.data()), code);
}

nb::tuple get_cann_version(Number<int32_t> name) {
  aclCANNPackageVersion version{};
  const aclError code = aclsysGetCANNVersion(to_c<aclCANNPackageName>(name), &version);
  nb::dict parts;
  parts["version"] = text_of(version.version);
  parts["majorVersion"] = text_of(version.majorVersion);
  parts["minorVersion"] = text_of(version.minorVersion);
  parts["releaseVersion"] = text_of(version.releaseVersion);
  parts["patchVersion"] = text_of(version.patchVersion);
  parts["reserved"] = text_of(version.reserved);
  return nb::make_tuple(parts, code);
}

std::tuple<std::vector<int>, aclError> get_cann_attribute_list() {
  const aclCannAttr* attributes = nullptr;
  size_t count = 0;
  const aclError code = aclGetCannAttributeList(&attributes, &count);
  std::vector<int> list;
  if (code == ACL_SUCCESS) list.assign(attributes, attributes + count);
  return {list, code};
}

// Logs the line with its place in the Python program.
void app_log(Number<int32_t> level, const std::string& message) {
  std::string function;
  std::string file;
  int line = 0;
  if (PyFrameObject* frame = PyEval_GetFrame(); frame != nullptr) {
    line = PyFrame_GetLineNumber(frame);
    const auto code = nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
    function = nb::cast<std::string>(code.attr("co_name"));
    file = nb::cast<std::string>(code.attr("co_filename"));
  }
  unlocked([&] {
    aclAppLog(to_c<aclLogLevel>(level), function.c_str(), file.c_str(), static_cast<uint32_t>(line),
              "%s", message.c_str());
  });
}

void add_initialisation(nb::module_& acl) {
  define(
      acl, "init", "(config_path: str | None = None, /) -> int",
      "Initialises the library; 100002 if it already was (aclInit).",
      [](const std::optional<std::string>& path) {
        return unlocked([&] { return aclInit(path ? path->c_str() : nullptr); });
      },
      nb::arg("config_path") = nb::none());
  bind<aclFinalize>(acl, "finalize", "int", "Finalises the library (aclFinalize).");
  bind_outputs_last<aclFinalizeReference>(
      acl, "finalize_reference", "tuple[int, int]",
      "Undoes one init; returns the number still open (aclFinalizeReference).");
}

void add_versions(nb::module_& acl) {
  bind_outputs_last<aclrtGetVersion, Gil::kKept, 3>(
      acl, "get_version", "tuple[int, int, int, int]",
      "Version of the interface: major, minor, patch (aclrtGetVersion).");
  define(acl, "get_version_str", "(pkg_name: str, /) -> tuple[str, int]",
         "Version of a package such as \"runtime\" (aclsysGetVersionStr).", get_version_str);
  define(acl, "get_cann_version", "(name: int, /) -> tuple[dict[str, str], int]",
         "Version of a package by its number, in parts (aclsysGetCANNVersion).", get_cann_version);
  bind_outputs_last<aclGetCannAttribute>(
      acl, "get_cann_attribute", "(attr: int, /) -> tuple[int, int]",
      "Whether an attribute is supported (aclGetCannAttribute).");
  define_without_arguments(acl, "get_cann_attribute_list", "tuple[list[int], int]",
                           "Attributes that get_cann_attribute knows (aclGetCannAttributeList).",
                           get_cann_attribute_list);
  define_without_arguments(acl, "get_soc_name", "str | None",
                           "Name of the product, None on failure (aclrtGetSocName).",
                           []() -> nb::object {
                             const char* name = unlocked([] { return aclrtGetSocName(); });
                             return name == nullptr ? nb::none() : nb::object(text_of(name));
                           });
}

}  // namespace

void add_general(nb::module_& acl) {
  add_initialisation(acl);
  add_versions(acl);
  define_without_arguments(
      acl, "get_recent_err_msg", "str",
      "Returns and clears the latest failure's text; \"\" if there is none (aclGetRecentErrMsg).",
      [] {
        const char* message = aclGetRecentErrMsg();
        return text_of(message == nullptr ? "" : message);
      });
  define(acl, "app_log", "(level: int, message: str, /) -> None",
         "Writes a line to the log: 0 debug, 1 info, 2 warning, 3 error (aclAppLog).", app_log);
  bind<aclDataTypeSize, Gil::kKept>(acl, "data_type_size", "(dtype: int, /) -> int",
                                    "Size of one element in bytes (aclDataTypeSize).");
  bind<aclFloat16ToFloat, Gil::kKept>(acl, "float16_to_float", "(value: int, /) -> float",
                                      "Value of a 16-bit float given as bits (aclFloat16ToFloat).");
  define(acl, "float_to_float16", "(value: float, /) -> int",
         "Bits of the nearest 16-bit float (aclFloatToFloat16).",
         [](double value) { return aclFloatToFloat16(static_cast<float>(value)); });
}

}  // namespace ferry::python
