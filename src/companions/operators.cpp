// SPDX-License-Identifier: Apache-2.0
// libacl_op_compiler.so: attributes of operators, options of the compiler, operators.
#include "companions/array.h"
#include "companions/declarations.h"
#include "companions/object.h"

#include <pthread.h>

using namespace ferry::companions;  // NOLINT(google-build-using-namespace): C functions have none

namespace {

// A value as bytes; nothing reads them, since there are no operators.
struct Attribute {
  Text name;
  Array<char> value;
};

struct Attributes : Object {
  static constexpr Kind kKind = Kind::kAttributes;
  static constexpr const char* kName = "set of attributes";
  void clear() {
    for (size_t i = 0; i < list.size(); ++i) {
      list[i].name.clear();
      list[i].value.clear();
    }
    list.clear();
  }

  Array<Attribute> list;
};

Attribute* find_attribute(Attributes& attributes, const char* name) {
  for (size_t i = 0; i < attributes.list.size(); ++i) {
    if (std::strcmp(attributes.list[i].name.c_str(), name) == 0) return &attributes.list[i];
  }
  Attribute fresh;
  if (!fresh.name.assign(name)) return nullptr;
  if (attributes.list.push(fresh)) return &attributes.list[attributes.list.size() - 1];
  fresh.name.clear();
  return nullptr;
}

aclError set_bytes(const char* function, aclopAttr* attr, const char* name, const void* bytes,
                   size_t size) {
  auto* const attributes = find<Attributes>(function, "attr", attr);
  if (attributes == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (name == nullptr) return fail_null(function, "attrName");
  Attribute* const attribute = find_attribute(*attributes, name);
  if (attribute == nullptr) return fail_memory(function);
  const bool has_room = attribute->value.assign(static_cast<const char*>(bytes), size);
  return has_room ? ACL_SUCCESS : fail_memory(function);
}

template <class T>
aclError set_value(const char* function, aclopAttr* attr, const char* name, const T& value) {
  return set_bytes(function, attr, name, &value, sizeof value);
}

// The checks of attr and name come before those of the values.
template <class T>
aclError set_list(const char* function, aclopAttr* attr, const char* name, int count,
                  const T* values) {
  if (find<Attributes>(function, "attr", attr) == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (name == nullptr) return fail_null(function, "attrName");
  if (count < 0) {
    return fail(function, ACL_ERROR_INVALID_PARAM, "numValues is %d, allowed is 0 or more", count);
  }
  if (count > 0 && values == nullptr) return fail_null(function, "values");
  return set_bytes(function, attr, name, values, static_cast<size_t>(count) * sizeof *values);
}

// The values of aclSetCompileopt.
pthread_mutex_t options_mutex = PTHREAD_MUTEX_INITIALIZER;  // protects what follows
Text options[ACL_OP_DEBUG_OPTION + 1];

aclError refuse_operator(const char* function, const char* type) {
  if (type == nullptr) return fail_null(function, "opType");
  return fail(function, kRefused, "Ferry has no operators; the program asked for \"%s\"", type);
}

}  // namespace

aclopAttr* aclopCreateAttr() {
  return static_cast<aclopAttr*>(static_cast<void*>(create<Attributes>(__func__)));
}

void aclopDestroyAttr(const aclopAttr* attr) {
  if (attr != nullptr) destroy<Attributes>(__func__, "attr", attr);
}

aclError aclopSetAttrBool(aclopAttr* attr, const char* attrName, uint8_t attrValue) {
  return set_value(__func__, attr, attrName, attrValue);
}

aclError aclopSetAttrInt(aclopAttr* attr, const char* attrName, int64_t attrValue) {
  return set_value(__func__, attr, attrName, attrValue);
}

aclError aclopSetAttrFloat(aclopAttr* attr, const char* attrName, float attrValue) {
  return set_value(__func__, attr, attrName, attrValue);
}

aclError aclopSetAttrDataType(aclopAttr* attr, const char* attrName, aclDataType attrValue) {
  return set_value(__func__, attr, attrName, attrValue);
}

aclError aclopSetAttrString(aclopAttr* attr, const char* attrName, const char* attrValue) {
  if (find<Attributes>(__func__, "attr", attr) == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (attrName == nullptr) return fail_null(__func__, "attrName");
  if (attrValue == nullptr) return fail_null(__func__, "attrValue");
  return set_bytes(__func__, attr, attrName, attrValue, std::strlen(attrValue) + 1);
}

aclError aclopSetAttrListBool(aclopAttr* attr, const char* attrName, int numValues,
                              const uint8_t* values) {
  return set_list(__func__, attr, attrName, numValues, values);
}

aclError aclopSetAttrListInt(aclopAttr* attr, const char* attrName, int numValues,
                             const int64_t* values) {
  return set_list(__func__, attr, attrName, numValues, values);
}

aclError aclopSetAttrListFloat(aclopAttr* attr, const char* attrName, int numValues,
                               const float* values) {
  return set_list(__func__, attr, attrName, numValues, values);
}

aclError aclopSetAttrListListInt(aclopAttr* attr, const char* attrName, int numLists,
                                 const int* numValues, const int64_t* const* values) {
  if (find<Attributes>(__func__, "attr", attr) == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (attrName == nullptr) return fail_null(__func__, "attrName");
  if (numLists < 0) {
    return fail(__func__, ACL_ERROR_INVALID_PARAM, "numLists is %d, allowed is 0 or more",
                numLists);
  }
  if (numLists > 0 && numValues == nullptr) return fail_null(__func__, "numValues");
  if (numLists > 0 && values == nullptr) return fail_null(__func__, "values");
  Array<int64_t> all;
  for (int i = 0; i < numLists; ++i) {
    const bool is_wrong = numValues[i] < 0 || values[i] == nullptr;
    for (int j = 0; !is_wrong && j < numValues[i]; ++j) {
      if (all.push(values[i][j])) continue;
      all.clear();
      return fail_memory(__func__);
    }
    if (!is_wrong) continue;
    all.clear();
    return fail(__func__, ACL_ERROR_INVALID_PARAM, "values[%d] is %p with numValues[%d] = %d", i,
                static_cast<const void*>(values[i]), i, numValues[i]);
  }
  const aclError code =
      set_bytes(__func__, attr, attrName, all.data(), all.size() * sizeof(int64_t));
  all.clear();
  return code;
}

aclError aclSetCompileopt(aclCompileOpt opt, const char* value) {
  if (opt < ACL_PRECISION_MODE || opt > ACL_OP_DEBUG_OPTION) {
    return fail(__func__, ACL_ERROR_INVALID_PARAM, "opt is %d, allowed is 0 to %d",
                static_cast<int>(opt), ACL_OP_DEBUG_OPTION);
  }
  if (value == nullptr) return fail_null(__func__, "value");
  pthread_mutex_lock(&options_mutex);
  const bool has_room = options[opt].assign(value);
  pthread_mutex_unlock(&options_mutex);
  return has_room ? ACL_SUCCESS : fail_memory(__func__);
}

aclError aclopCompileAndExecute(const char* opType, int /*numInputs*/,
                                const aclTensorDesc* const* /*inputDesc*/,
                                const aclDataBuffer* const* /*inputs*/, int /*numOutputs*/,
                                const aclTensorDesc* const* /*outputDesc*/,
                                aclDataBuffer* const* /*outputs*/, const aclopAttr* /*attr*/,
                                aclopEngineType /*engineType*/, aclopCompileType /*compileFlag*/,
                                const char* /*opPath*/, aclrtStream /*stream*/) {
  return refuse_operator(__func__, opType);
}

aclError aclopCompileAndExecuteV2(const char* opType, int /*numInputs*/,
                                  aclTensorDesc** /*inputDesc*/, aclDataBuffer** /*inputs*/,
                                  int /*numOutputs*/, aclTensorDesc** /*outputDesc*/,
                                  aclDataBuffer** /*outputs*/, aclopAttr* /*attr*/,
                                  aclopEngineType /*engineType*/, aclopCompileType /*compileFlag*/,
                                  const char* /*opPath*/, aclrtStream /*stream*/) {
  return refuse_operator(__func__, opType);
}
