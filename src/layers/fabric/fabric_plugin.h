// SPDX-License-Identifier: Apache-2.0
// The interface to libferry_ucx.so, the plugin that connects this process with processes of other
// hosts. The library knows objects and memory; sockets, authentication, wire format and UCX are the
// plugin's. It is C, so that the plugin and the library may come from different compilers.
//
// Words: a peer is another process that has proven the secret. An opening is an object of a peer
// that this process may use. A segment is the memory of an opening.
#pragma once

#include <stddef.h>
#include <stdint.h>

// NOLINTBEGIN(readability-identifier-naming): names of C, as in ferry/backend.h
extern "C" {

#define FERRYX_FABRIC_ABI 2
#define FERRYX_FABRIC_FACTS 96
#define FERRYX_FABRIC_TEXT 512
#define FERRYX_FABRIC_QUESTION 64

typedef struct ferryx_fabric ferryx_fabric;                  // the plugin, opened
typedef struct ferryx_fabric_opening ferryx_fabric_opening;  // counted: see visit and let_go
typedef struct ferryx_fabric_call ferryx_fabric_call;        // a question of a peer

// An IPv6 address, or an IPv4 address mapped into one, and a port.
typedef struct ferryx_fabric_place {
  uint8_t address[16];
  uint16_t port;
} ferryx_fabric_place;

// A peer asks for an object of this process.
typedef struct ferryx_fabric_request {
  uint64_t name_high;
  uint64_t name_low;
  uint32_t kind;    // sharing::Kind
  int32_t process;  // the visitor's pid, as its own host sees it
  int32_t device;   // of the visitor
} ferryx_fabric_request;

typedef struct ferryx_fabric_answer {
  int32_t code;         // 0: it is open; else an aclError
  uint32_t is_unknown;  // 1: nobody offers it
  uint8_t facts[FERRYX_FABRIC_FACTS];
  char text[FERRYX_FABRIC_TEXT];  // why not
  // Of the owner:
  void* object;     // for closed() and signalled()
  int32_t file;     // of memory, -1: none; stays the library's, open during the call
  uint64_t offset;  // of memory in the file
  uint64_t size;    // of memory
} ferryx_fabric_answer;

// What the plugin may call: from its own threads, without its locks.
typedef struct ferryx_fabric_services {
  uint32_t struct_size;
  void (*open)(const ferryx_fabric_request* request, ferryx_fabric_answer* answer);
  void (*closed)(void* object);
  void (*signalled)(void* object);  // must return soon
  // A peer asks an object something. Must return soon; ends with one call of reply(), then or
  // later.
  void (*called)(void* object, const void* question, size_t size, ferryx_fabric_call* call);
  void (*log)(int level, const char* text);
  // Copies memory of the program. NULL, or an address that could not be accessed.
  const void* (*move_bytes)(void* dst, const void* src, uint64_t size);
} ferryx_fabric_services;

typedef struct ferryx_fabric_settings {
  uint32_t struct_size;
  const char* address;  // numeric, IPv4 or IPv6
  uint16_t port;        // 0: any
  const char* secret_file;
  uint64_t timeout;  // nanoseconds
} ferryx_fabric_settings;

// Bytes between the memory of this process and a segment.
typedef struct ferryx_fabric_piece {
  ferryx_fabric_opening* opening;
  uint64_t offset;  // in the segment
  void* local;
  uint64_t size;
  uint32_t is_unsure;  // 1: the local memory may be inaccessible, so move_bytes copies it
} ferryx_fabric_piece;

// Bytes of a segment that get a value of 1 or 4 bytes, as ferryx_fill.
typedef struct ferryx_fabric_filling {
  uint64_t offset;
  uint64_t size;
  uint32_t value;
  uint32_t width;
} ferryx_fabric_filling;

typedef enum ferryx_fabric_direction {
  FERRYX_FABRIC_PUT = 0,
  FERRYX_FABRIC_GET = 1
} ferryx_fabric_direction;

// Codes of ferryx_fabric_done, besides 0.
typedef enum ferryx_fabric_failure {
  FERRYX_FABRIC_LOST = 1,          // the peer has ended, does not answer, or is out of reach
  FERRYX_FABRIC_INACCESSIBLE = 2,  // memory of this process
  FERRYX_FABRIC_REFUSED = 3        // by the owner of the memory
} ferryx_fabric_failure;

// Called once per transfer, without locks of the plugin, from any thread that drives the fabric,
// also from within transfer(). By then the bytes have arrived, or none are in flight any more.
typedef void (*ferryx_fabric_done)(void* argument, int code, const char* text);

// Called once per call(), as ferryx_fabric_done.
typedef void (*ferryx_fabric_answered)(void* argument, int code, const char* text,
                                       const void* answer, size_t size);

typedef struct ferryx_fabric_counts {
  uint32_t struct_size;
  uint32_t peers;            // connected now
  uint32_t segments_in_use;  // of peers, open in this process
  uint32_t segments_lent;    // of this process, open in peers
  uint64_t bytes_put;
  uint64_t bytes_got;
  uint64_t operations;  // requests sent to peers
  uint64_t packed;      // of them, with several small blocks
  uint64_t staged;      // bytes that were copied once more on this host
  uint64_t signals;
  uint64_t retries;  // requests that were put off because the window was full
  uint64_t refused;  // connections that were refused
  uint64_t lost;     // peers that ended or did not answer
} ferryx_fabric_counts;

typedef struct ferryx_fabric_table {
  uint32_t struct_size;
  uint32_t abi;  // FERRYX_FABRIC_ABI
  // 0, or 1 with what is wrong in `text`.
  int (*open)(const ferryx_fabric_settings* settings, const ferryx_fabric_services* services,
              ferryx_fabric** fabric, char* text, size_t text_size);
  // The process is ending: nothing is in flight after it has returned, and calls do nothing.
  void (*close)(ferryx_fabric* fabric);
  void (*place)(ferryx_fabric* fabric, ferryx_fabric_place* place);
  // Opens an object of a peer; connects first if need be. Waits up to the timeout. 0 when the peer
  // has answered; 1 with answer->text when it cannot be reached or refuses the connection.
  int (*visit)(ferryx_fabric* fabric, const ferryx_fabric_place* place,
               const ferryx_fabric_request* request, ferryx_fabric_answer* answer,
               ferryx_fabric_opening** opening);
  void (*let_go)(ferryx_fabric_opening* opening);
  int (*is_lost)(const ferryx_fabric_opening* opening);  // 1: its peer is
  // Does not wait. False (0) when the peer is lost.
  int (*signal)(ferryx_fabric_opening* opening);
  // Asks an object of a peer, with up to FERRYX_FABRIC_QUESTION bytes. Does not wait for the
  // answer, which may come late, or never as long as the peer lives.
  void (*call)(ferryx_fabric_opening* opening, const void* question, size_t size,
               ferryx_fabric_answered answered, void* argument);
  // Ends a question of a peer. From any thread.
  void (*reply)(ferryx_fabric* fabric, ferryx_fabric_call* call, const void* answer, size_t size);
  // Starts moving bytes; does not wait. Always ends with a call of `done`.
  void (*transfer)(ferryx_fabric* fabric, uint32_t direction, const ferryx_fabric_piece* pieces,
                   size_t count, ferryx_fabric_done done, void* argument);
  // Ends as transfer().
  void (*fill)(ferryx_fabric_opening* opening, const ferryx_fabric_filling* filling,
               ferryx_fabric_done done, void* argument);
  // Makes progress on the calling thread until the number, which `done` changes atomically, is not
  // 0, or the time is over. For threads that wait for a transfer.
  void (*drive)(ferryx_fabric* fabric, const uint32_t* until, uint64_t nanoseconds);
  // One step of it, for a thread that looks for its own end between the steps. 0: no message has
  // come for a while, so the thread had better sleep; the fabric's own thread goes on.
  int (*help)(ferryx_fabric* fabric);
  void (*counts)(ferryx_fabric* fabric, ferryx_fabric_counts* counts);
  // One line per peer: place, role, transports, openings, bytes. Returns the length without the
  // final 0; cuts it to `size`.
  size_t (*describe)(ferryx_fabric* fabric, char* text, size_t size);
} ferryx_fabric_table;

typedef const ferryx_fabric_table* (*ferryx_fabric_entry)(void);
// The name has the version of the interface.
#define FERRYX_FABRIC_ENTRY "ferryx_fabric_plugin_2"

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
