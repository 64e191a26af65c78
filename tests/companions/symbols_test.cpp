// SPDX-License-Identifier: Apache-2.0
// Every library can be opened by name and has the symbols of the list.
#include "support.h"

#include <dlfcn.h>

#include <cstring>
#include <map>
#include <set>
#include <vector>

namespace {

struct Symbol {
  const char* library;
  const char* name;
};

#define FERRY_TDT_CHANNEL(answer, result, name, params, last) {"libacl_tdt_channel.so", #name},
#define FERRY_TDT_QUEUE(answer, result, name, params, last) {"libacl_tdt_queue.so", #name},
#define FERRY_OP_COMPILER(answer, result, name, params, last) {"libacl_op_compiler.so", #name},
#define FERRY_HCCL(answer, result, name, params, last) {"libhccl.so", #name},
#define FERRY_PROFAPI(answer, result, name, params, last) {"libprofapi.so", #name},
#define FERRY_MSPROFILER(answer, result, name, params, last) {"libmsprofiler.so", #name},
#define FERRY_DUMP(answer, result, name, params, last) {"libascend_dump.so", #name},
#define FERRY_TOOLS_EXT(answer, result, name, params, last) {"libms_tools_ext.so", #name},
#define FERRY_HAL(answer, result, name, params, last) {"libascend_hal.so", #name},
#define FERRY_DSMI(answer, result, name, params, last) {"libdrvdsmi_host.so", #name},
#define FERRY_DCMI(answer, result, name, params, last) {"libdcmi.so", #name},
#define FERRY_PLATFORM(answer, result, name, params, last) {"libplatform.so", #name},
#define FERRY_ALOG(answer, result, name, params, last) {"libascendalog.so", #name},
constexpr Symbol kSymbols[] = {
#include "companions/symbols.def"
};

void* open_library(const std::string& name, int flags = RTLD_LAZY) {
  void* const library = dlopen((std::string(LIBRARY_FOLDER "/") + name).c_str(), flags);
  EXPECT_NE(nullptr, library) << dlerror();
  return library;
}

TEST(CompanionSymbols, AreInTheirLibraries) {
  std::map<std::string, void*> libraries;
  for (const Symbol& symbol : kSymbols) {
    void*& library = libraries[symbol.library];
    if (library == nullptr) library = open_library(symbol.library);
    ASSERT_NE(nullptr, library) << symbol.library;
    void* const address = dlsym(library, symbol.name);
    ASSERT_NE(nullptr, address) << symbol.name;
    // Of the library itself, not of one that it needs.
    Dl_info info{};
    ASSERT_NE(0, dladdr(address, &info));
    EXPECT_STREQ(symbol.library, std::strrchr(info.dli_fname, '/') + 1) << symbol.name;
  }
  EXPECT_EQ(13u, libraries.size());
}

TEST(CompanionSymbols, AreListedOnce) {
  std::set<std::string> seen;
  for (const Symbol& symbol : kSymbols) {
    EXPECT_TRUE(seen.insert(std::string(symbol.library) + " " + symbol.name).second) << symbol.name;
  }
}

TEST(CompanionSymbols, OfEmptyLibrariesAreNone) {
  EXPECT_NE(nullptr, open_library("libge_runner.so"));
  EXPECT_NE(nullptr, open_library("libgraph.so"));
}

// Their absence steers programs.
TEST(CompanionSymbols, ThatMustBeAbsentAre) {
  void* const compiler = open_library("libacl_op_compiler.so");
  EXPECT_EQ(nullptr, dlsym(compiler, "aclGetCompileoptSize"));
  EXPECT_EQ(nullptr, dlsym(compiler, "aclGetCompileopt"));
  void* const management = open_library("libdcmi.so");
  for (const char* name : {"dcmiv2_init", "dcmiv2_get_device_list"}) {
    EXPECT_EQ(nullptr, dlsym(management, name)) << name;
  }
}

// torch_npu binds them without naming their library.
TEST(CompanionSymbols, OfProfapiComeWithTheOperatorCompiler) {
  void* const compiler = open_library("libacl_op_compiler.so");
  for (const char* name :
       {"MsprofGetHashId", "MsprofRegisterCallback", "MsprofReportAdditionalInfo",
        "MsprofReportApi", "MsprofReportCompactInfo", "MsprofSysCycleTime"}) {
    EXPECT_NE(nullptr, dlsym(compiler, name)) << name;
  }
}

// The other names of libascendcl.so are the same object.
TEST(CompanionSymbols, OfLinksAreThoseOfTheLibrary) {
  for (const char* name : {"libacl_rt.so", "libruntime.so", "libacl_rt_impl.so"}) {
    void* const library = open_library(name);
    ASSERT_NE(nullptr, library);
    EXPECT_EQ(reinterpret_cast<void*>(&aclrtMalloc), dlsym(library, "aclrtMalloc")) << name;
    EXPECT_NE(nullptr, dlsym(library, "rtSetDevice")) << name;
  }
}

// A function of both libraries does what that of libascendcl.so does, and does not call itself.
TEST(CompanionSymbols, ThatForwardReachLibascendcl) {
  void* const compiler = open_library("libacl_op_compiler.so", RTLD_LAZY | RTLD_GLOBAL);
  const auto set = reinterpret_cast<aclError (*)(aclSysParamOpt, int64_t)>(
      dlsym(compiler, "aclrtSetSysParamOpt"));
  const auto wrong = companion_tests::as_enum<aclSysParamOpt>(99);
  const aclError expected = aclrtSetSysParamOpt(wrong, 0);
  EXPECT_NE(0, expected);
  EXPECT_EQ(expected, set(wrong, 0));
  EXPECT_EQ(0u, companion_tests::recent_text().find("aclrtSetSysParamOpt: "));
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);

  void* const profiler = open_library("libmsprofiler.so");
  const auto stop = reinterpret_cast<aclError (*)(const void*)>(dlsym(profiler, "aclprofStop"));
  EXPECT_NE(0, stop(nullptr));
  EXPECT_EQ(0u, companion_tests::recent_text().find("aclprofStop: "));
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
}

}  // namespace
