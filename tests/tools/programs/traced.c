/* SPDX-License-Identifier: Apache-2.0 */
/* Copies that are known, for the tests of traces. traced WAY [FILE]. */
#include "acl/acl.h"
#include "ferry/ferry.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE (1 << 20)

static void* device;
static void* host;

static void need(aclError code) {
  if (code == ACL_SUCCESS) return;
  fprintf(stderr, "%d: %s\n", code, aclGetRecentErrMsg());
  exit(1);
}

static void begin(void) {
  need(aclrtSetDevice(0));
  need(aclrtMalloc(&device, SIZE, ACL_MEM_MALLOC_NORMAL_ONLY));
  need(aclrtMallocHost(&host, SIZE));
  memset(host, 1, SIZE);
}

static void end(void) {
  need(aclrtFreeHost(host));
  need(aclrtFree(device));
  need(aclrtResetDevice(0));
}

static void copy_in(aclrtStream stream, size_t size) {
  need(aclrtMemcpyAsync(device, SIZE, host, size, ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

/* Three copies in, an event, and one copy out on another stream; a pageable one. */
static void copies(void) {
  aclrtStream first, second;
  aclrtEvent event;
  char* pageable = malloc(5000);
  memset(pageable, 2, 5000);
  need(aclrtCreateStream(&first));
  need(aclrtCreateStream(&second));
  need(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  for (size_t i = 1; i <= 3; ++i)
    copy_in(first, i * 4096);
  need(aclrtRecordEvent(event, first));
  need(aclrtStreamWaitEvent(second, event));
  need(aclrtMemcpyAsync(host, SIZE, device, 4096, ACL_MEMCPY_DEVICE_TO_HOST, second));
  need(aclrtSynchronizeStream(second));
  need(aclrtMemcpy(device, SIZE, pageable, 5000, ACL_MEMCPY_HOST_TO_DEVICE));
  if (aclrtMemcpyAsync(device, 4, host, 8, ACL_MEMCPY_HOST_TO_DEVICE, first) == ACL_SUCCESS)
    exit(1);
  need(aclrtSynchronizeStream(first));
  need(aclrtDestroyEvent(event));
  need(aclrtDestroyStream(second));
  need(aclrtDestroyStream(first));
  free(pageable);
}

static void* copy_often(void* argument) {
  aclrtStream stream;
  (void)argument;
  need(aclrtSetDevice(0));
  need(aclrtCreateStream(&stream));
  for (int i = 0; i < 2000; ++i) {
    copy_in(stream, 64);
    if (i % 500 == 0) need(aclrtSynchronizeStream(stream));
  }
  need(aclrtSynchronizeStream(stream));
  need(aclrtDestroyStream(stream));
  return NULL;
}

static void threads(void) {
  pthread_t all[3];
  for (int i = 0; i < 3; ++i)
    pthread_create(&all[i], NULL, copy_often, NULL);
  for (int i = 0; i < 3; ++i)
    pthread_join(all[i], NULL);
}

/* A trace in the middle, of streams that exist; then another one. */
static void middle(const char* file) {
  aclrtStream stream;
  need(aclrtCreateStream(&stream));
  copy_in(stream, 1000);
  need(aclrtSynchronizeStream(stream));
  for (size_t i = 1; i <= 2; ++i) {
    need(ferryTraceStart(file, "items"));
    if (ferryTraceStart(file, NULL) != ACL_ERROR_INVALID_PARAM) exit(1);
    for (size_t j = 0; j < i; ++j)
      copy_in(stream, 2000 + i);
    need(aclrtSynchronizeStream(stream));
    need(ferryTraceFlush());
    need(ferryTraceStop());
    copy_in(stream, 3000);
    need(aclrtSynchronizeStream(stream));
  }
  if (ferryTraceStop() != ACL_ERROR_INVALID_PARAM) exit(1);
  if (ferryTraceFlush() != ACL_ERROR_INVALID_PARAM) exit(1);
  if (ferryTraceStart(file, "all") != ACL_ERROR_INVALID_PARAM) exit(1);
  if (ferryTraceStart("/nowhere/x.json", NULL) != ACL_ERROR_INVALID_PARAM) exit(1);
  if (ferryTraceStart(NULL, NULL) != ACL_ERROR_INVALID_PARAM) exit(1);
  need(aclrtDestroyStream(stream));
}

/* The first model of the process, with a fork and a join, four times. */
static void model(void) {
  aclrtStream stream, other;
  aclrtEvent fork_event, join_event;
  aclmdlRI model;
  need(aclrtCreateStream(&stream));
  need(aclrtCreateStream(&other));
  need(aclrtCreateEventExWithFlag(&fork_event, ACL_EVENT_SYNC));
  need(aclrtCreateEventExWithFlag(&join_event, ACL_EVENT_SYNC));
  need(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  copy_in(stream, 4096);
  need(aclrtRecordEvent(fork_event, stream));
  need(aclrtStreamWaitEvent(other, fork_event));
  copy_in(other, 8192);
  need(aclrtRecordEvent(join_event, other));
  need(aclrtStreamWaitEvent(stream, join_event));
  need(aclmdlRICaptureEnd(stream, &model));
  for (int i = 0; i < 3; ++i)
    need(aclmdlRIExecuteAsync(model, stream));
  need(aclrtSynchronizeStream(stream));
  /* This run is submitted by this thread, the last ones by the library's. */
  need(aclmdlRIExecuteAsync(model, other));
  need(aclrtSynchronizeStream(other));
  need(aclmdlRIDestroy(model));
  need(aclrtDestroyEvent(join_event));
  need(aclrtDestroyEvent(fork_event));
  need(aclrtDestroyStream(other));
  need(aclrtDestroyStream(stream));
}

/* A range that is open at the end, one that was begun before, and a mark that a stream reaches. */
static void ranges(const char* file) {
  aclrtStream stream;
  uint64_t before, after;
  need(aclrtCreateStream(&stream));
  need(ferryRangeStart("", "before", NULL, &before));
  need(ferryTraceStart(file, NULL));
  need(ferryRangeEnd("", before));
  need(ferryRangeStart("", "open", NULL, &after));
  need(ferryMark("", "mark", stream));
  need(aclrtSynchronizeStream(stream));
  need(ferryTraceStop());
  need(aclrtDestroyStream(stream));
}

/* Waits for ever: nobody sets the notify. */
static void hang(void) {
  aclrtStream stream;
  aclrtNotify notify;
  need(aclrtCreateStream(&stream));
  need(aclrtCreateNotify(&notify, 0));
  need(aclrtWaitAndResetNotify(notify, stream, 0));
  copy_in(stream, 100);
  need(aclrtSynchronizeStream(stream));
}

static void leave(void* unused) {
  (void)unused;
  exit(0);
}

static void* process_reports(void* unused) {
  (void)unused;
  need(aclrtSetDevice(0));
  aclrtProcessReport(-1);
  return NULL;
}

/* A callback ends the process, inside the call that runs it. */
static void exit_in_a_call(void) {
  aclrtStream stream;
  pthread_t thread;
  need(aclrtCreateStream(&stream));
  pthread_create(&thread, NULL, process_reports, NULL);
  need(aclrtSubscribeReport((uint64_t)thread, stream));
  need(aclrtLaunchCallback(leave, NULL, ACL_CALLBACK_BLOCK, stream));
  pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "copies";
  begin();
  if (strcmp(way, "copies") == 0) copies();
  if (strcmp(way, "threads") == 0) threads();
  if (strcmp(way, "middle") == 0) middle(argv[2]);
  if (strcmp(way, "model") == 0) model();
  if (strcmp(way, "ranges") == 0) ranges(argv[2]);
  if (strcmp(way, "hang") == 0) hang();
  if (strcmp(way, "exit in a call") == 0) exit_in_a_call();
  if (strcmp(way, "quick") == 0) {
    copies();
    quick_exit(0);
  }
  if (strcmp(way, "killed") == 0) {
    copies();
    need(ferryTraceFlush());
    raise(SIGKILL);
  }
  if (strcmp(way, "fork") == 0) {
    const pid_t child = fork();
    if (child == 0) {
      aclrtSynchronizeDevice();
      exit(0);
    }
    waitpid(child, NULL, 0);
    copies();
  }
  if (strcmp(way, "unfinished") == 0) {
    /* Nobody waits: with the schedule lazy the copy has not run when the trace ends. */
    aclrtStream stream;
    need(aclrtCreateStream(&stream));
    copy_in(stream, 100);
    need(ferryTraceStop());
    need(aclrtSynchronizeStream(stream));
    need(aclrtDestroyStream(stream));
  }
  end();
  return 0;
}
