// SPDX-License-Identifier: Apache-2.0
// libacl_op_compiler.so: descriptions of tensors.
#include "companions/array.h"
#include "companions/declarations.h"
#include "companions/object.h"

#include <cstdint>

using namespace ferry::companions;  // NOLINT(google-build-using-namespace): C functions have none

namespace {

constexpr int64_t kUnknownRank = -2;  // as the only dimension

struct Range {
  int64_t from;
  int64_t to;
};

struct Form {
  aclFormat format;
  Array<int64_t> dimensions;
};

struct Tensor : Object {
  static constexpr Kind kKind = Kind::kTensor;
  static constexpr const char* kName = "description of a tensor";
  void clear() {
    name.clear();
    dynamic_input.clear();
    given.dimensions.clear();
    stored.dimensions.clear();
    origin.dimensions.clear();
    shape_ranges.clear();
    value_ranges.clear();
    constant.clear();
  }

  aclDataType data_type;
  aclMemType memory;
  Form given;
  Form stored;
  Form origin;
  Text name;
  Text dynamic_input;
  Array<Range> shape_ranges;
  Array<Range> value_ranges;
  Array<char> constant;
};

Tensor* tensor_at(const char* function, const aclTensorDesc* desc) {
  return find<Tensor>(function, "desc", desc);
}

aclError set_shape(const char* function, const aclTensorDesc* desc, Form Tensor::*form, int count,
                   const int64_t* dims) {
  Tensor* const tensor = tensor_at(function, desc);
  if (tensor == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (count < 0) {
    return fail(function, ACL_ERROR_INVALID_PARAM, "numDims is %d, allowed is 0 or more", count);
  }
  if (dims == nullptr && count > 0) return fail_null(function, "dims");
  const bool has_room = (tensor->*form).dimensions.assign(dims, static_cast<size_t>(count));
  return has_room ? ACL_SUCCESS : fail_memory(function);
}

aclError set_format(const char* function, const aclTensorDesc* desc, Form Tensor::*form,
                    aclFormat format) {
  Tensor* const tensor = tensor_at(function, desc);
  if (tensor == nullptr) return ACL_ERROR_INVALID_PARAM;
  (tensor->*form).format = format;
  return ACL_SUCCESS;
}

aclError set_ranges(const char* function, const aclTensorDesc* desc, Array<Range> Tensor::*ranges,
                    size_t count, const int64_t (*values)[2]) {
  Tensor* const tensor = tensor_at(function, desc);
  if (tensor == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (values == nullptr && count > 0) return fail_null(function, "the array of ranges");
  Array<Range> fresh;
  for (size_t i = 0; i < count; ++i) {
    if (fresh.push({values[i][0], values[i][1]})) continue;
    fresh.clear();
    return fail_memory(function);
  }
  (tensor->*ranges).clear();
  tensor->*ranges = fresh;
  return ACL_SUCCESS;
}

// False when the product does not fit.
bool count_elements(const Tensor& tensor, size_t& count) {
  count = 1;
  for (size_t i = 0; i < tensor.given.dimensions.size(); ++i) {
    const int64_t dimension = tensor.given.dimensions[i];
    if (dimension < 0) return false;
    if (__builtin_mul_overflow(count, static_cast<size_t>(dimension), &count)) return false;
  }
  return true;
}

const int64_t* dimension_at(const char* function, const aclTensorDesc* desc, size_t index) {
  const Tensor* const tensor = tensor_at(function, desc);
  if (tensor == nullptr) return nullptr;
  if (index < tensor->given.dimensions.size()) return &tensor->given.dimensions[index];
  fail(function, ACL_ERROR_INVALID_PARAM, "index is %zu, but there are %zu dimensions", index,
       tensor->given.dimensions.size());
  return nullptr;
}

}  // namespace

aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims,
                                   aclFormat format) {
  if (numDims < 0) {
    fail(__func__, ACL_ERROR_INVALID_PARAM, "numDims is %d, allowed is 0 or more", numDims);
    return nullptr;
  }
  if (numDims > 0 && dims == nullptr) {
    fail_null(__func__, "dims");
    return nullptr;
  }
  auto* const tensor = create<Tensor>(__func__);
  if (tensor == nullptr) return nullptr;
  auto* const handle = static_cast<aclTensorDesc*>(static_cast<void*>(tensor));
  tensor->data_type = dataType;
  tensor->given.format = format;
  tensor->stored.format = ACL_FORMAT_UNDEFINED;
  tensor->origin.format = ACL_FORMAT_UNDEFINED;
  if (tensor->given.dimensions.assign(dims, static_cast<size_t>(numDims))) return handle;
  aclDestroyTensorDesc(handle);
  fail_memory(__func__);
  return nullptr;
}

void aclDestroyTensorDesc(const aclTensorDesc* desc) {
  if (desc != nullptr) destroy<Tensor>(__func__, "desc", desc);
}

aclDataType aclGetTensorDescType(const aclTensorDesc* desc) {
  const Tensor* const tensor = tensor_at(__func__, desc);
  return tensor == nullptr ? ACL_DT_UNDEFINED : tensor->data_type;
}

aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc) {
  const Tensor* const tensor = tensor_at(__func__, desc);
  return tensor == nullptr ? ACL_FORMAT_UNDEFINED : tensor->given.format;
}

size_t aclGetTensorDescSize(const aclTensorDesc* desc) {
  const Tensor* const tensor = tensor_at(__func__, desc);
  size_t size = 0;
  if (tensor == nullptr || !count_elements(*tensor, size)) return 0;
  return __builtin_mul_overflow(size, aclDataTypeSize(tensor->data_type), &size) ? 0 : size;
}

size_t aclGetTensorDescElementCount(const aclTensorDesc* desc) {
  const Tensor* const tensor = tensor_at(__func__, desc);
  size_t count = 0;
  return tensor != nullptr && count_elements(*tensor, count) ? count : 0;
}

size_t aclGetTensorDescNumDims(const aclTensorDesc* desc) {
  const Tensor* const tensor = tensor_at(__func__, desc);
  if (tensor == nullptr) return 0;
  const Array<int64_t>& dimensions = tensor->given.dimensions;
  return dimensions.size() > 0 && dimensions[0] == kUnknownRank ? ACL_UNKNOWN_RANK
                                                                : dimensions.size();
}

int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index) {
  const int64_t* const dimension = dimension_at(__func__, desc, index);
  return dimension == nullptr ? -1 : *dimension;
}

aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize) {
  if (dimSize == nullptr) return fail_null(__func__, "dimSize");
  const int64_t* const dimension = dimension_at(__func__, desc, index);
  if (dimension == nullptr) return ACL_ERROR_INVALID_PARAM;
  *dimSize = *dimension;
  return ACL_SUCCESS;
}

aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index, size_t dimRangeNum,
                                  int64_t* dimRange) {
  const Tensor* const tensor = tensor_at(__func__, desc);
  if (tensor == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (dimRange == nullptr) return fail_null(__func__, "dimRange");
  if (dimRangeNum < ACL_TENSOR_SHAPE_RANGE_NUM) {
    return fail(__func__, ACL_ERROR_INVALID_PARAM, "dimRangeNum is %zu, allowed is 2 or more",
                dimRangeNum);
  }
  if (index >= tensor->shape_ranges.size()) {
    return fail(__func__, ACL_ERROR_INVALID_PARAM, "index is %zu, but there are %zu ranges", index,
                tensor->shape_ranges.size());
  }
  dimRange[0] = tensor->shape_ranges[index].from;
  dimRange[1] = tensor->shape_ranges[index].to;
  return ACL_SUCCESS;
}

void aclSetTensorDescName(aclTensorDesc* desc, const char* name) {
  Tensor* const tensor = tensor_at(__func__, desc);
  if (tensor != nullptr && !tensor->name.assign(name == nullptr ? "" : name)) fail_memory(__func__);
}

const char* aclGetTensorDescName(aclTensorDesc* desc) {
  const Tensor* const tensor = tensor_at(__func__, desc);
  return tensor == nullptr ? "" : tensor->name.c_str();
}

aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index) {
  return tensor_at(__func__, desc) != nullptr && index == 0 ? desc : nullptr;
}

void* aclGetTensorDescAddress(const aclTensorDesc* desc) {
  tensor_at(__func__, desc);  // for the text
  return nullptr;
}

aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format) {
  return set_format(__func__, desc, &Tensor::stored, format);
}

aclError aclSetTensorShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return set_shape(__func__, desc, &Tensor::stored, numDims, dims);
}

aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format) {
  return set_format(__func__, desc, &Tensor::stored, format);
}

aclError aclSetTensorStorageShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return set_shape(__func__, desc, &Tensor::stored, numDims, dims);
}

aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format) {
  return set_format(__func__, desc, &Tensor::origin, format);
}

aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return set_shape(__func__, desc, &Tensor::origin, numDims, dims);
}

aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t dimsCount, int64_t (*dimsRange)[2]) {
  return set_ranges(__func__, desc, &Tensor::shape_ranges, dimsCount, dimsRange);
}

aclError aclSetTensorValueRange(aclTensorDesc* desc, size_t valueCount, int64_t (*valueRange)[2]) {
  return set_ranges(__func__, desc, &Tensor::value_ranges, valueCount, valueRange);
}

aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType) {
  Tensor* const tensor = tensor_at(__func__, desc);
  if (tensor == nullptr) return ACL_ERROR_INVALID_PARAM;
  tensor->memory = memType;
  return ACL_SUCCESS;
}

aclError aclSetTensorDynamicInput(aclTensorDesc* desc, const char* dynamicInputName) {
  Tensor* const tensor = tensor_at(__func__, desc);
  if (tensor == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (dynamicInputName == nullptr) return fail_null(__func__, "dynamicInputName");
  return tensor->dynamic_input.assign(dynamicInputName) ? ACL_SUCCESS : fail_memory(__func__);
}

aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer, size_t length) {
  Tensor* const tensor = tensor_at(__func__, desc);
  if (tensor == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (dataBuffer == nullptr) return fail_null(__func__, "dataBuffer");
  if (length == 0) {
    return fail(__func__, ACL_ERROR_INVALID_PARAM, "length is 0, allowed is 1 or more");
  }
  const bool has_room = tensor->constant.assign(static_cast<const char*>(dataBuffer), length);
  return has_room ? ACL_SUCCESS : fail_memory(__func__);
}
