// SPDX-License-Identifier: Apache-2.0
// libacl_op_compiler.so: descriptions of tensors and attributes work, operators refuse.
#include "support.h"

#include "acl/acl_op_compiler.h"

#include <climits>
#include <string>

namespace {

using companion_tests::kBadArgument;
using companion_tests::kRefused;
using companion_tests::recent_text;

aclTensorDesc* tensor(std::initializer_list<int64_t> dims, aclDataType type = ACL_FLOAT) {
  return aclCreateTensorDesc(type, static_cast<int>(dims.size()), dims.begin(), ACL_FORMAT_NCHW);
}

TEST(TensorDescription, HoldsWhatItWasGiven) {
  aclTensorDesc* desc = tensor({2, 3, 4});
  ASSERT_NE(nullptr, desc);
  EXPECT_EQ(ACL_FLOAT, aclGetTensorDescType(desc));
  EXPECT_EQ(ACL_FORMAT_NCHW, aclGetTensorDescFormat(desc));
  EXPECT_EQ(3u, aclGetTensorDescNumDims(desc));
  EXPECT_EQ(24u, aclGetTensorDescElementCount(desc));
  EXPECT_EQ(96u, aclGetTensorDescSize(desc));
  EXPECT_EQ(4, aclGetTensorDescDim(desc, 2));
  EXPECT_FAILS(-1, aclGetTensorDescDim(desc, 3));
  int64_t dimension = 0;
  EXPECT_OK(aclGetTensorDescDimV2(desc, 1, &dimension));
  EXPECT_EQ(3, dimension);
  EXPECT_FAILS(kBadArgument, aclGetTensorDescDimV2(desc, 3, &dimension));
  EXPECT_FAILS(kBadArgument, aclGetTensorDescDimV2(desc, 0, nullptr));
  EXPECT_STREQ("", aclGetTensorDescName(desc));
  aclSetTensorDescName(desc, "weight");
  EXPECT_STREQ("weight", aclGetTensorDescName(desc));
  aclSetTensorDescName(desc, nullptr);
  EXPECT_STREQ("", aclGetTensorDescName(desc));
  EXPECT_EQ(desc, aclGetTensorDescByIndex(desc, 0));
  EXPECT_EQ(nullptr, aclGetTensorDescByIndex(desc, 1));
  EXPECT_EQ(nullptr, aclGetTensorDescAddress(desc));
  aclDestroyTensorDesc(desc);
  EXPECT_FAILS(0u, aclGetTensorDescNumDims(desc));
}

TEST(TensorDescription, CountsElements) {
  aclTensorDesc* scalar = aclCreateTensorDesc(ACL_INT32, 0, nullptr, ACL_FORMAT_ND);
  EXPECT_EQ(1u, aclGetTensorDescElementCount(scalar));
  EXPECT_EQ(4u, aclGetTensorDescSize(scalar));
  aclTensorDesc* dynamic = tensor({2, -1});
  EXPECT_EQ(0u, aclGetTensorDescElementCount(dynamic));
  EXPECT_EQ(0u, aclGetTensorDescSize(dynamic));
  aclTensorDesc* unknown = tensor({-2});
  EXPECT_EQ(ACL_UNKNOWN_RANK, aclGetTensorDescNumDims(unknown));
  aclTensorDesc* huge = tensor({INT64_MAX, INT64_MAX});
  EXPECT_EQ(0u, aclGetTensorDescElementCount(huge));
  aclTensorDesc* large = tensor({INT64_MAX, 2});
  EXPECT_NE(0u, aclGetTensorDescElementCount(large));
  EXPECT_EQ(0u, aclGetTensorDescSize(large));
  for (aclTensorDesc* desc : {scalar, dynamic, unknown, huge, large})
    aclDestroyTensorDesc(desc);
}

TEST(TensorDescription, RefusesWrongDimensions) {
  const int64_t dims[] = {1};
  EXPECT_FAILS(nullptr, aclCreateTensorDesc(ACL_FLOAT, -1, dims, ACL_FORMAT_ND));
  EXPECT_FAILS(nullptr, aclCreateTensorDesc(ACL_FLOAT, 1, nullptr, ACL_FORMAT_ND));
}

TEST(TensorDescription, TakesItsSettings) {
  aclTensorDesc* desc = tensor({2, 3});
  const int64_t dims[] = {1, 2, 3, 4};
  int64_t ranges[][2] = {{1, 2}, {3, -1}};
  EXPECT_OK(aclSetTensorFormat(desc, ACL_FORMAT_NC1HWC0));
  EXPECT_OK(aclSetTensorShape(desc, 4, dims));
  EXPECT_OK(aclSetTensorStorageFormat(desc, ACL_FORMAT_ND));
  EXPECT_OK(aclSetTensorStorageShape(desc, 2, dims));
  EXPECT_OK(aclSetTensorOriginFormat(desc, ACL_FORMAT_ND));
  EXPECT_OK(aclSetTensorOriginShape(desc, 1, dims));
  EXPECT_OK(aclSetTensorShapeRange(desc, 2, ranges));
  EXPECT_OK(aclSetTensorValueRange(desc, 1, ranges));
  EXPECT_OK(aclSetTensorPlaceMent(desc, ACL_MEMTYPE_HOST));
  EXPECT_OK(aclSetTensorDynamicInput(desc, "x"));
  char constant[3] = {1, 2, 3};
  EXPECT_OK(aclSetTensorConst(desc, constant, sizeof constant));
  // What it was created with is as before.
  EXPECT_EQ(2u, aclGetTensorDescNumDims(desc));
  EXPECT_EQ(ACL_FORMAT_NCHW, aclGetTensorDescFormat(desc));
  int64_t range[2] = {};
  EXPECT_OK(aclGetTensorDescDimRange(desc, 1, 2, range));
  EXPECT_EQ(3, range[0]);
  EXPECT_EQ(-1, range[1]);
  EXPECT_FAILS(kBadArgument, aclGetTensorDescDimRange(desc, 2, 2, range));
  EXPECT_FAILS(kBadArgument, aclGetTensorDescDimRange(desc, 0, 1, range));
  EXPECT_FAILS(kBadArgument, aclGetTensorDescDimRange(desc, 0, 2, nullptr));
  EXPECT_FAILS(kBadArgument, aclSetTensorShape(desc, 1, nullptr));
  EXPECT_FAILS(kBadArgument, aclSetTensorShape(desc, -1, dims));
  EXPECT_FAILS(kBadArgument, aclSetTensorOriginShape(desc, 1, nullptr));
  EXPECT_FAILS(kBadArgument, aclSetTensorDynamicInput(desc, nullptr));
  EXPECT_FAILS(kBadArgument, aclSetTensorConst(desc, nullptr, 1));
  EXPECT_FAILS(kBadArgument, aclSetTensorConst(desc, constant, 0));
  aclDestroyTensorDesc(desc);
}

TEST(TensorDescription, AnswersNull) {
  int64_t value = 0;
  aclDestroyTensorDesc(nullptr);
  aclSetTensorDescName(nullptr, "x");
  EXPECT_FAILS(ACL_DT_UNDEFINED, aclGetTensorDescType(nullptr));
  EXPECT_FAILS(ACL_FORMAT_UNDEFINED, aclGetTensorDescFormat(nullptr));
  EXPECT_FAILS(0u, aclGetTensorDescNumDims(nullptr));
  EXPECT_FAILS(0u, aclGetTensorDescElementCount(nullptr));
  EXPECT_FAILS(0u, aclGetTensorDescSize(nullptr));
  EXPECT_FAILS(-1, aclGetTensorDescDim(nullptr, 0));
  EXPECT_FAILS(kBadArgument, aclGetTensorDescDimV2(nullptr, 0, &value));
  EXPECT_STREQ("", aclGetTensorDescName(nullptr));
  EXPECT_EQ(nullptr, aclGetTensorDescByIndex(nullptr, 0));
  EXPECT_EQ(nullptr, aclGetTensorDescAddress(nullptr));
  EXPECT_FAILS(kBadArgument, aclSetTensorFormat(nullptr, ACL_FORMAT_ND));
  EXPECT_FAILS(kBadArgument, aclSetTensorShape(nullptr, 0, nullptr));
  EXPECT_FAILS(kBadArgument, aclSetTensorPlaceMent(nullptr, ACL_MEMTYPE_DEVICE));
  EXPECT_FAILS(kBadArgument, aclSetTensorShapeRange(nullptr, 0, nullptr));
  EXPECT_FAILS(kBadArgument, aclSetTensorValueRange(nullptr, 0, nullptr));
  EXPECT_FAILS(kBadArgument, aclSetTensorConst(nullptr, &value, 1));
}

TEST(OperatorAttributes, TakeValues) {
  aclopAttr* attr = aclopCreateAttr();
  ASSERT_NE(nullptr, attr);
  const uint8_t bools[] = {0, 1};
  const int64_t ints[] = {1, 2, 3};
  const float floats[] = {1.0f};
  const int counts[] = {3, 1};
  const int64_t* const lists[] = {ints, ints};
  EXPECT_OK(aclopSetAttrBool(attr, "bool", 1));
  EXPECT_OK(aclopSetAttrBool(attr, "bool", 0));
  EXPECT_OK(aclopSetAttrInt(attr, "int", -1));
  EXPECT_OK(aclopSetAttrFloat(attr, "float", 0.5f));
  EXPECT_OK(aclopSetAttrString(attr, "string", "text"));
  EXPECT_OK(aclopSetAttrDataType(attr, "type", ACL_FLOAT16));
  EXPECT_OK(aclopSetAttrListBool(attr, "bools", 2, bools));
  EXPECT_OK(aclopSetAttrListInt(attr, "ints", 3, ints));
  EXPECT_OK(aclopSetAttrListInt(attr, "none", 0, nullptr));
  EXPECT_OK(aclopSetAttrListFloat(attr, "floats", 1, floats));
  EXPECT_OK(aclopSetAttrListListInt(attr, "lists", 2, counts, lists));
  EXPECT_FAILS(kBadArgument, aclopSetAttrBool(nullptr, "x", 1));
  EXPECT_FAILS(kBadArgument, aclopSetAttrInt(attr, nullptr, 1));
  EXPECT_FAILS(kBadArgument, aclopSetAttrString(attr, "x", nullptr));
  EXPECT_FAILS(kBadArgument, aclopSetAttrListBool(attr, "x", 1, nullptr));
  EXPECT_FAILS(kBadArgument, aclopSetAttrListInt(attr, "x", -1, ints));
  EXPECT_FAILS(kBadArgument, aclopSetAttrListFloat(nullptr, "x", 1, floats));
  EXPECT_FAILS(kBadArgument, aclopSetAttrListListInt(attr, "x", -1, counts, lists));
  EXPECT_FAILS(kBadArgument, aclopSetAttrListListInt(attr, "x", 2, nullptr, lists));
  EXPECT_FAILS(kBadArgument, aclopSetAttrListListInt(attr, "x", 2, counts, nullptr));
  const int64_t* const incomplete[] = {ints, nullptr};
  EXPECT_FAILS(kBadArgument, aclopSetAttrListListInt(attr, "x", 2, counts, incomplete));
  aclopDestroyAttr(attr);
  aclopDestroyAttr(nullptr);
  EXPECT_FAILS(kBadArgument, aclopSetAttrBool(attr, "x", 1));
}

TEST(CompileOptions, AreKept) {
  EXPECT_OK(aclSetCompileopt(ACL_PRECISION_MODE, "allow_fp32_to_fp16"));
  EXPECT_OK(aclSetCompileopt(ACL_OP_DEBUG_OPTION, ""));
  EXPECT_FAILS(kBadArgument, aclSetCompileopt(ACL_PRECISION_MODE, nullptr));
  EXPECT_FAILS(kBadArgument, aclSetCompileopt(companion_tests::as_enum<aclCompileOpt>(17), "x"));
  EXPECT_FAILS(kBadArgument, aclSetCompileopt(companion_tests::as_enum<aclCompileOpt>(-1), "x"));
}

TEST(Operators, RefuseAndNameThemselves) {
  const auto run = [](const char* type) {
    return aclopCompileAndExecute(type, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr,
                                  ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, nullptr);
  };
  EXPECT_EQ(kRefused, run("MatMul"));
  const std::string text = recent_text();
  EXPECT_EQ(0u, text.find("aclopCompileAndExecute: ")) << text;
  EXPECT_NE(std::string::npos, text.find("MatMul")) << text;
  EXPECT_EQ(kBadArgument, run(nullptr));
  EXPECT_EQ(kRefused,
            aclopCompileAndExecuteV2("Add", 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr,
                                     ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, nullptr));
  EXPECT_NE(std::string::npos, recent_text().find("Add"));
  EXPECT_EQ(kRefused, aclGenGraphAndDumpForOp("Add", 0, nullptr, nullptr, 0, nullptr, nullptr,
                                              nullptr, ACL_ENGINE_SYS, "path", nullptr));
  EXPECT_FAILS(nullptr, aclCreateGraphDumpOpt());
  EXPECT_FAILS(kBadArgument, aclDestroyGraphDumpOpt(nullptr));
  aclTensorDesc* desc = tensor({1});
  aclTensorDesc* other = nullptr;
  EXPECT_FAILS(kRefused, aclTransTensorDescFormat(desc, ACL_FORMAT_ND, &other));
  EXPECT_FAILS(kBadArgument, aclTransTensorDescFormat(nullptr, ACL_FORMAT_ND, &other));
  EXPECT_FAILS(kBadArgument, aclTransTensorDescFormat(desc, ACL_FORMAT_ND, nullptr));
  aclDestroyTensorDesc(desc);
  EXPECT_EQ(ACL_SUCCESS, aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
}

}  // namespace
