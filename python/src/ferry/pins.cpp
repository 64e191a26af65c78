// SPDX-License-Identifier: Apache-2.0
// The supported protocols, in the order in which they are tried: our own Region, the buffer
// protocol, DLPack, and numpy's array interface for dtypes that neither of them supports.
#include "pins.h"

#include "errors.h"

#include <nanobind/stl/string.h>

#include <string>
#include <utility>

namespace nb = nanobind;

namespace ferry::python {
namespace {

PyTypeObject* region_type = nullptr;

std::string name_of(Place place) {
  const char* side = place.role == Role::kTarget ? "dst" : "src";
  if (place.item == Place::kNoItem) return side;
  return std::string(side) + " of item " + std::to_string(place.item);
}

std::string type_of(nb::handle object) {
  return Py_TYPE(object.ptr())->tp_name;
}

[[noreturn]] void refuse_read_only(nb::handle object, Place place) {
  raise_python(PyExc_TypeError, name_of(place) + " is a read-only " + type_of(object) +
                                    "; a copy needs a target that can be written");
}

[[noreturn]] void refuse_gaps(nb::handle object, Place place) {
  raise_python(PyExc_ValueError, name_of(place) + " is a " + type_of(object) +
                                     " that is not contiguous (C order); copy it first, for "
                                     "example with numpy.ascontiguousarray");
}

[[noreturn]] void refuse_type(nb::handle object, Place place) {
  raise_python(PyExc_TypeError, name_of(place) + " is a " + type_of(object) +
                                    "; allowed are a ferry.Buffer and objects with the buffer "
                                    "protocol, __dlpack__ or __array_interface__");
}

// Whether a format of the buffer protocol has references to objects: copying their bytes would
// forge objects. Field names are enclosed in colons.
bool has_objects(const char* format) {
  if (format == nullptr) return false;
  bool is_in_name = false;
  for (; *format != 0; ++format) {
    if (*format == ':') is_in_name = !is_in_name;
    if (*format == 'O' && !is_in_name) return true;
  }
  return false;
}

// For arrays without gaps numpy sets strides to None or leaves them out.
bool has_strides(const nb::dict& interface) {
  return interface.contains("strides") && !interface["strides"].is_none();
}

size_t nbytes_of(const nb::dict& interface) {
  // "<f4": byte order, kind, size of one element.
  const std::string type = nb::cast<std::string>(interface["typestr"]);
  size_t nbytes = std::stoul(type.substr(2));
  for (nb::handle extent : nb::cast<nb::tuple>(interface["shape"]))
    nbytes *= nb::cast<size_t>(extent);
  // Dates have a unit after the size: stoul stops there. Characters have four bytes each.
  return type[1] == 'U' ? nbytes * 4 : nbytes;
}

}  // namespace

Side Pins::add(nb::handle object, Place place) {
  Side side;
  if (PyObject_TypeCheck(object.ptr(), region_type) != 0) {
    if (!nb::inst_ready(object)) raise_python(PyExc_TypeError, "the Buffer was never initialised");
    const Region& region = *nb::inst_ptr<Region>(object);
    require_open(region);
    held_.memories.push_back(region.memory);
    region.memory->pin();
    side.address = region.address();
    side.nbytes = region.nbytes;
    if (region.memory->device() >= 0) {
      side.location = {static_cast<uint32_t>(region.memory->device()),
                       ACL_MEM_LOCATION_TYPE_DEVICE};
    }
    return side;
  }
  if (add_buffer(object, place, side)) return side;
  if (add_tensor(object, place, side)) return side;
  if (add_array_interface(object, place, side)) return side;
  refuse_type(object, place);
}

bool Pins::add_buffer(nb::handle object, Place place, Side& side) {
  if (PyObject_CheckBuffer(object.ptr()) == 0) return false;
  const int access = place.role == Role::kTarget ? PyBUF_WRITABLE : 0;
  held_.buffers.emplace_back();
  const int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | access;
  if (PyObject_GetBuffer(object.ptr(), &held_.buffers.back(), flags) == 0) {
    if (has_objects(held_.buffers.back().format)) refuse_type(object, place);
    side.address = static_cast<char*>(held_.buffers.back().buf);
    side.nbytes = static_cast<size_t>(held_.buffers.back().len);
    return true;
  }
  held_.buffers.pop_back();
  // Exporters refuse in different ways: request any view, and inspect it.
  PyErr_Clear();
  Py_buffer view;
  if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_FULL_RO) != 0) {
    PyErr_Clear();
    return false;
  }
  const bool is_read_only = view.readonly != 0;
  const bool is_contiguous = PyBuffer_IsContiguous(&view, 'C') != 0;
  PyBuffer_Release(&view);
  if (is_read_only && place.role == Role::kTarget) refuse_read_only(object, place);
  if (!is_contiguous) refuse_gaps(object, place);
  return false;
}

bool Pins::add_tensor(nb::handle object, Place place, Side& side) {
  if (!nb::hasattr(object, "__dlpack__")) return false;
  dlpack::Taken taken;
  try {
    taken = dlpack::take(object);
  } catch (nb::python_error& error) {
    // numpy has the method, but refuses dtypes that DLPack does not support.
    if (nb::hasattr(object, "__array_interface__") && error.matches(PyExc_BufferError))
      return false;
    throw;
  }
  held_.tensors.push_back(taken);
  const dlpack::Tensor& tensor = taken.tensor();
  if (taken.is_read_only() && place.role == Role::kTarget) refuse_read_only(object, place);
  if (!taken.is_contiguous()) refuse_gaps(object, place);
  if (tensor.device.type == dlpack::kExternalDevice) {
    side.location = {static_cast<uint32_t>(tensor.device.id), ACL_MEM_LOCATION_TYPE_DEVICE};
  } else if (tensor.device.type != dlpack::kCpu && tensor.device.type != dlpack::kCudaHost) {
    raise_python(PyExc_TypeError, name_of(place) + " is a tensor on a device of DLPack's type " +
                                      std::to_string(tensor.device.type) +
                                      "; allowed are 1 (CPU), 3 (pinned) and 12 (NPU)");
  }
  side.address = static_cast<char*>(tensor.data) + tensor.byte_offset;
  side.nbytes = taken.nbytes();
  return true;
}

bool Pins::add_array_interface(nb::handle object, Place place, Side& side) {
  if (!nb::hasattr(object, "__array_interface__")) return false;
  const nb::dict interface = nb::cast<nb::dict>(object.attr("__array_interface__"));
  if (!interface.contains("data") || !nb::isinstance<nb::tuple>(interface["data"])) return false;
  const nb::tuple data = interface["data"];
  if (nb::cast<bool>(data[1]) && place.role == Role::kTarget) refuse_read_only(object, place);
  if (has_strides(interface)) refuse_gaps(object, place);
  const std::string type = nb::cast<std::string>(interface["typestr"]);
  // Objects and bit fields.
  if (type.size() < 3 || type[1] == 'O' || type[1] == 't') return false;
  side.address = reinterpret_cast<char*>(nb::cast<uintptr_t>(data[0]));
  side.nbytes = nbytes_of(interface);
  Py_INCREF(object.ptr());
  held_.objects.push_back(object.ptr());
  return true;
}

void Pins::release() {
  is_released_ = true;
  // Releasing can run any code, including this function: the first caller releases everything.
  // Swapping does not move any Py_buffer.
  Held held;
  std::swap(held, held_);
  if (!gives_back()) {
    // At process exit work may still be running: nothing it uses may be freed.
    static_cast<void>(new Held(std::move(held)));
    return;
  }
  for (Py_buffer& buffer : held.buffers)
    PyBuffer_Release(&buffer);
  for (const std::shared_ptr<Memory>& memory : held.memories)
    memory->unpin();
  for (const dlpack::Taken& taken : held.tensors)
    taken.release();
  for (PyObject* object : held.objects)
    Py_DECREF(object);
}

void Pins::prepare(size_t most) {
  held_.buffers.reserve(most);
}

void add_pins(nb::module_& module) {
  region_type = reinterpret_cast<PyTypeObject*>(module.attr("Region").ptr());
  nb::class_<Pins>(module, "Pins")
      .def(nb::init<>())
      .def("release", &Pins::release)
      .def_prop_ro("queued", &Pins::is_queued)
      .def_prop_ro("released", &Pins::is_released);
}

}  // namespace ferry::python
