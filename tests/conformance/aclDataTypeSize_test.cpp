// SPDX-License-Identifier: Apache-2.0
// aclDataTypeSize: size of one element in bytes.
#include "support/conformance.h"

#include <map>

namespace conformance::aclDataTypeSize_test {
namespace {

const std::map<int, size_t>& sizes() {
  static const std::map<int, size_t> table = {
      {ACL_FLOAT, 4},     {ACL_FLOAT16, 2},     {ACL_INT8, 1},          {ACL_INT32, 4},
      {ACL_UINT8, 1},     {ACL_INT16, 2},       {ACL_UINT16, 2},        {ACL_UINT32, 4},
      {ACL_INT64, 8},     {ACL_UINT64, 8},      {ACL_DOUBLE, 8},        {ACL_BOOL, 1},
      {ACL_COMPLEX64, 8}, {ACL_COMPLEX128, 16}, {ACL_BF16, 2},          {ACL_COMPLEX32, 4},
      {ACL_HIFLOAT8, 1},  {ACL_FLOAT8_E5M2, 1}, {ACL_FLOAT8_E4M3FN, 1}, {ACL_FLOAT8_E8M0, 1}};
  return table;
}

TEST(AclDataTypeSize, TellsTheBytesOfAnElement) {
  for (const auto& [type, size] : sizes())
    EXPECT_EQ(aclDataTypeSize(static_cast<aclDataType>(type)), size) << "type " << type;
}

TEST(AclDataTypeSize, IsZeroForTypesWithoutAWholeNumberOfBytes) {
  for (const aclDataType type : {ACL_DT_UNDEFINED, ACL_STRING, ACL_INT4, ACL_UINT1, ACL_FLOAT6_E3M2,
                                 ACL_FLOAT6_E2M3, ACL_FLOAT4_E2M1, ACL_FLOAT4_E1M2}) {
    EXPECT_EQ(aclDataTypeSize(type), 0u) << "type " << type;
  }
}

TEST(AclDataTypeSize, IsZeroForNumbersThatAreNoType) {
  for (int number = -100; number < 300; ++number) {
    if (sizes().count(number) != 0) continue;
    EXPECT_EQ(aclDataTypeSize(static_cast<aclDataType>(number)), 0u) << "number " << number;
  }
  for (const int number : {0x7fffffff, -0x7fffffff - 1})
    EXPECT_EQ(aclDataTypeSize(static_cast<aclDataType>(number)), 0u) << "number " << number;
}

}  // namespace
}  // namespace conformance::aclDataTypeSize_test
