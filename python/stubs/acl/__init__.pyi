# SPDX-License-Identifier: Apache-2.0
# acl: types for checkers and editors. test_acl_surface.py compares them with the module.
from . import rt as rt
from . import util as util

def app_log(level: int, message: str, /) -> None:
    """Writes a line to the log: 0 debug, 1 info, 2 warning, 3 error (aclAppLog)."""

def create_data_buffer(ptr: int, size: int, /) -> int:
    """Creates a data buffer; 0 on failure (aclCreateDataBuffer)."""

def data_type_size(dtype: int, /) -> int:
    """Size of one element in bytes (aclDataTypeSize)."""

def destroy_data_buffer(buf: int, /) -> int:
    """Destroys a data buffer, not its memory (aclDestroyDataBuffer)."""

def finalize(*args: object) -> int:
    """Finalises the library (aclFinalize)."""

def finalize_reference(*args: object) -> tuple[int, int]:
    """Undoes one init; returns the number still open (aclFinalizeReference)."""

def float16_to_float(value: int, /) -> float:
    """Value of a 16-bit float given as bits (aclFloat16ToFloat)."""

def float_to_float16(value: float, /) -> int:
    """Bits of the nearest 16-bit float (aclFloatToFloat16)."""

def get_cann_attribute(attr: int, /) -> tuple[int, int]:
    """Whether an attribute is supported (aclGetCannAttribute)."""

def get_cann_attribute_list(*args: object) -> tuple[list[int], int]:
    """Attributes that get_cann_attribute knows (aclGetCannAttributeList)."""

def get_cann_version(name: int, /) -> tuple[dict[str, str], int]:
    """Version of a package by its number, in parts (aclsysGetCANNVersion)."""

def get_data_buffer_addr(buf: int, /) -> int:
    """Address in a data buffer (aclGetDataBufferAddr)."""

def get_data_buffer_size(buf: int, /) -> int:
    """Size in a data buffer, cut to 32 bits; deprecated (aclGetDataBufferSize)."""

def get_data_buffer_size_v2(buf: int, /) -> int:
    """Size in a data buffer (aclGetDataBufferSizeV2)."""

def get_recent_err_msg(*args: object) -> str:
    """Returns and clears the latest failure's text; "" if there is none (aclGetRecentErrMsg)."""

def get_soc_name(*args: object) -> str | None:
    """Name of the product, None on failure (aclrtGetSocName)."""

def get_version(*args: object) -> tuple[int, int, int, int]:
    """Version of the interface: major, minor, patch (aclrtGetVersion)."""

def get_version_str(pkg_name: str, /) -> tuple[str, int]:
    """Version of a package such as "runtime" (aclsysGetVersionStr)."""

def init(config_path: str | None = None, /) -> int:
    """Initialises the library; 100002 if it already was (aclInit)."""

def update_data_buffer(buf: int, ptr: int, size: int, /) -> int:
    """Changes the address and size in a data buffer (aclUpdateDataBuffer)."""
