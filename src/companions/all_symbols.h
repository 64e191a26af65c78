// SPDX-License-Identifier: Apache-2.0
// The whole list with one macro, FERRY_DECLARED, whatever the library. The macros of libraries keep
// what they were.
#pragma push_macro("FERRY_TDT_CHANNEL")
#pragma push_macro("FERRY_TDT_QUEUE")
#pragma push_macro("FERRY_OP_COMPILER")
#pragma push_macro("FERRY_HCCL")
#pragma push_macro("FERRY_PROFAPI")
#pragma push_macro("FERRY_MSPROFILER")
#pragma push_macro("FERRY_DUMP")
#pragma push_macro("FERRY_TOOLS_EXT")
#pragma push_macro("FERRY_HAL")
#pragma push_macro("FERRY_DSMI")
#pragma push_macro("FERRY_DCMI")
#pragma push_macro("FERRY_PLATFORM")
#pragma push_macro("FERRY_ALOG")
#undef FERRY_TDT_CHANNEL
#define FERRY_TDT_CHANNEL FERRY_DECLARED
#undef FERRY_TDT_QUEUE
#define FERRY_TDT_QUEUE FERRY_DECLARED
#undef FERRY_OP_COMPILER
#define FERRY_OP_COMPILER FERRY_DECLARED
#undef FERRY_HCCL
#define FERRY_HCCL FERRY_DECLARED
#undef FERRY_PROFAPI
#define FERRY_PROFAPI FERRY_DECLARED
#undef FERRY_MSPROFILER
#define FERRY_MSPROFILER FERRY_DECLARED
#undef FERRY_DUMP
#define FERRY_DUMP FERRY_DECLARED
#undef FERRY_TOOLS_EXT
#define FERRY_TOOLS_EXT FERRY_DECLARED
#undef FERRY_HAL
#define FERRY_HAL FERRY_DECLARED
#undef FERRY_DSMI
#define FERRY_DSMI FERRY_DECLARED
#undef FERRY_DCMI
#define FERRY_DCMI FERRY_DECLARED
#undef FERRY_PLATFORM
#define FERRY_PLATFORM FERRY_DECLARED
#undef FERRY_ALOG
#define FERRY_ALOG FERRY_DECLARED
#include "companions/symbols.def"
#pragma pop_macro("FERRY_TDT_CHANNEL")
#pragma pop_macro("FERRY_TDT_QUEUE")
#pragma pop_macro("FERRY_OP_COMPILER")
#pragma pop_macro("FERRY_HCCL")
#pragma pop_macro("FERRY_PROFAPI")
#pragma pop_macro("FERRY_MSPROFILER")
#pragma pop_macro("FERRY_DUMP")
#pragma pop_macro("FERRY_TOOLS_EXT")
#pragma pop_macro("FERRY_HAL")
#pragma pop_macro("FERRY_DSMI")
#pragma pop_macro("FERRY_DCMI")
#pragma pop_macro("FERRY_PLATFORM")
#pragma pop_macro("FERRY_ALOG")
