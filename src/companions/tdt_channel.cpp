// SPDX-License-Identifier: Apache-2.0
// libacl_tdt_channel.so: data items and data sets.
#include "companions/array.h"
#include "companions/declarations.h"
#include "companions/object.h"

using namespace ferry::companions;  // NOLINT(google-build-using-namespace): C functions have none

namespace {

constexpr size_t kMostDimensions = 128;

struct DataItem : Object {
  static constexpr Kind kKind = Kind::kDataItem;
  static constexpr const char* kName = "data item";
  void clear() { dimensions.clear(); }

  acltdtTensorType type;
  aclDataType data_type;
  void* data;
  size_t size;
  Array<int64_t> dimensions;
};

struct Dataset : Object {
  static constexpr Kind kKind = Kind::kDataset;
  static constexpr const char* kName = "data set";
  void clear() { items.clear(); }

  Array<acltdtDataItem*> items;
};

const DataItem* item_at(const char* function, const acltdtDataItem* item) {
  return find<DataItem>(function, "dataItem", item);
}

bool is_on_device(const void* data) {
  aclrtPtrAttributes attributes = {};
  return aclrtPointerGetAttributes(data, &attributes) == ACL_SUCCESS &&
         attributes.location.type == ACL_MEM_LOCATION_TYPE_DEVICE;
}

// An item of the data set that has data; nullptr when none has.
const DataItem* item_with_data(const Dataset& dataset) {
  for (size_t i = 0; i < dataset.items.size(); ++i) {
    const void* const address = dataset.items[i];
    if (!is_live(address, Kind::kDataItem)) continue;  // the program has destroyed it
    const auto* const item = static_cast<const DataItem*>(address);
    if (item->data != nullptr) return item;
  }
  return nullptr;
}

}  // namespace

acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem* dataItem) {
  const DataItem* const item = item_at(__func__, dataItem);
  return item == nullptr ? ACL_TENSOR_DATA_UNDEFINED : item->type;
}

aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem* dataItem) {
  const DataItem* const item = item_at(__func__, dataItem);
  return item == nullptr ? ACL_DT_UNDEFINED : item->data_type;
}

void* acltdtGetDataAddrFromItem(const acltdtDataItem* dataItem) {
  const DataItem* const item = item_at(__func__, dataItem);
  return item == nullptr ? nullptr : item->data;
}

size_t acltdtGetDataSizeFromItem(const acltdtDataItem* dataItem) {
  const DataItem* const item = item_at(__func__, dataItem);
  return item == nullptr ? 0 : item->size;
}

size_t acltdtGetDimNumFromItem(const acltdtDataItem* dataItem) {
  const DataItem* const item = item_at(__func__, dataItem);
  return item == nullptr ? 0 : item->dimensions.size();
}

aclError acltdtGetSliceInfoFromItem(const acltdtDataItem* dataItem, size_t* sliceNum,
                                    size_t* sliceId) {
  if (item_at(__func__, dataItem) == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (sliceNum == nullptr) return fail_null(__func__, "sliceNum");
  if (sliceId == nullptr) return fail_null(__func__, "sliceId");
  *sliceNum = 0;
  *sliceId = 0;
  return ACL_SUCCESS;
}

aclError acltdtGetDimsFromItem(const acltdtDataItem* dataItem, int64_t* dims, size_t dimNum) {
  const DataItem* const item = item_at(__func__, dataItem);
  if (item == nullptr) return ACL_ERROR_INVALID_PARAM;
  if ((dims == nullptr) != (dimNum == 0)) {
    return fail(__func__, ACL_ERROR_INVALID_PARAM, "dims is %p with dimNum = %zu",
                static_cast<void*>(dims), dimNum);
  }
  const size_t count = item->dimensions.size();
  if (dimNum < count) {
    return fail(__func__, ACL_ERROR_INVALID_PARAM, "dimNum is %zu, allowed is %zu or more", dimNum,
                count);
  }
  if (count != 0) std::memcpy(dims, item->dimensions.data(), count * sizeof *dims);
  return ACL_SUCCESS;
}

acltdtDataItem* acltdtCreateDataItem(acltdtTensorType tdtType, const int64_t* dims, size_t dimNum,
                                     aclDataType dataType, void* data, size_t size) {
  const bool is_tensor = tdtType == ACL_TENSOR_DATA_TENSOR;
  if ((dims == nullptr) != (dimNum == 0)) {
    fail(__func__, ACL_ERROR_INVALID_PARAM, "dims is %p with dimNum = %zu",
         static_cast<const void*>(dims), dimNum);
    return nullptr;
  }
  if (dimNum > kMostDimensions) {
    fail(__func__, ACL_ERROR_INVALID_PARAM, "dimNum is %zu, allowed is 0 to %zu", dimNum,
         kMostDimensions);
    return nullptr;
  }
  if (!is_tensor && dims != nullptr) {
    fail(__func__, ACL_ERROR_INVALID_PARAM, "tdtType is %d, which has no dimensions",
         static_cast<int>(tdtType));
    return nullptr;
  }
  auto* const item = create<DataItem>(__func__);
  if (item == nullptr) return nullptr;
  auto* const handle = static_cast<acltdtDataItem*>(static_cast<void*>(item));
  if (!item->dimensions.assign(dims, dimNum)) {
    destroy<DataItem>(__func__, "dataItem", handle);
    fail_memory(__func__);
    return nullptr;
  }
  item->type = tdtType;
  item->data_type = is_tensor ? dataType : ACL_DT_UNDEFINED;
  item->data = is_tensor ? data : nullptr;
  item->size = is_tensor ? size : 0;
  return handle;
}

aclError acltdtDestroyDataItem(acltdtDataItem* dataItem) {
  return destroy<DataItem>(__func__, "dataItem", dataItem);
}

acltdtDataset* acltdtCreateDataset() {
  return static_cast<acltdtDataset*>(static_cast<void*>(create<Dataset>(__func__)));
}

aclError acltdtDestroyDataset(acltdtDataset* dataset) {
  return destroy<Dataset>(__func__, "dataset", dataset);
}

acltdtDataItem* acltdtGetDataItem(const acltdtDataset* dataset, size_t index) {
  const Dataset* const found = find<Dataset>(__func__, "dataset", dataset);
  if (found == nullptr) return nullptr;
  if (index < found->items.size()) return found->items[index];
  fail(__func__, ACL_ERROR_INVALID_PARAM, "index is %zu, but the data set has %zu items", index,
       found->items.size());
  return nullptr;
}

aclError acltdtAddDataItem(acltdtDataset* dataset, acltdtDataItem* dataItem) {
  auto* const found = find<Dataset>(__func__, "dataset", dataset);
  if (found == nullptr) return ACL_ERROR_INVALID_PARAM;
  const DataItem* const item = item_at(__func__, dataItem);
  if (item == nullptr) return ACL_ERROR_INVALID_PARAM;
  const DataItem* const other = item_with_data(*found);
  if (item->data != nullptr && other != nullptr &&
      is_on_device(item->data) != is_on_device(other->data)) {
    return fail(__func__, ACL_ERROR_INVALID_PARAM,
                "dataItem has its data %s, those before it have theirs elsewhere",
                is_on_device(item->data) ? "on a device" : "on the host");
  }
  return found->items.push(dataItem) ? ACL_SUCCESS : fail_memory(__func__);
}

size_t acltdtGetDatasetSize(const acltdtDataset* dataset) {
  const Dataset* const found = find<Dataset>(__func__, "dataset", dataset);
  return found == nullptr ? 0 : found->items.size();
}

const char* acltdtGetDatasetName(const acltdtDataset* dataset) {
  return find<Dataset>(__func__, "dataset", dataset) == nullptr ? nullptr : "";
}
