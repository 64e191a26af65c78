// SPDX-License-Identifier: Apache-2.0
// Which tests break which rules of the checker on purpose, and why. A finding that explains the
// code a call has returned needs no line here.
#pragma once

namespace conformance {

struct JustifiedFinding {
  const char* tests;   // "Suite.Name", with * for anything
  const char* rule;    // of severity error
  const char* reason;  // why the test must do so
};

constexpr const char* kFailsWhenItRuns =
    "a queued task with a bad range returns its code on the stream, which the test looks for";
constexpr const char* kFreedUnderWork =
    "memory is freed under queued work, to see that the work fails with its code";
constexpr const char* kLooksEarly =
    "the test looks at the destination to see that the copy has not run yet";
constexpr const char* kContentsDoNotMatter = "what the copy reads does not matter to the test";
constexpr const char* kDroppedByAFailure =
    "the task was dropped with its context, which the host learns by the failure alone";
constexpr const char* kWildCalls = "threads make wild calls at once, to see that all survive";

constexpr JustifiedFinding kJustifiedFindings[] = {
    {"AclGetRecentErrMsg.TellsTheCallThatQueuedAFailedTask", "out-of-bounds", kFailsWhenItRuns},
    {"Aclrt*FromExceptionInfo*.*", "out-of-bounds", kFailsWhenItRuns},
    {"AclrtDestroyStream.LosesAFailureKeptOnTheStream", "out-of-bounds", kFailsWhenItRuns},
    {"Aclrt*LastError.SeesFailuresOfQueuedWork*", "out-of-bounds", kFailsWhenItRuns},
    {"AclrtMalloc.JudgesAQueuedCopyIntoThePaddingWhenItRuns", "out-of-bounds", kFailsWhenItRuns},
    {"Aclrt*.AStoppedContextRefuses*", "out-of-bounds", kFailsWhenItRuns},
    {"Aclrt*.Pageable*GetTheFailureOfAnEarlierTask", "out-of-bounds", kFailsWhenItRuns},
    {"Aclrt*.Pageable*GetsTheFailureOfAnEarlierTask", "out-of-bounds", kFailsWhenItRuns},
    {"Aclrt*.*FailOnTheStream", "out-of-bounds", kFailsWhenItRuns},
    {"Aclrt*.*FailsOnTheStream", "out-of-bounds", kFailsWhenItRuns},
    {"AclrtMemcpyAsyncRanges.A*Fail*", "out-of-bounds", kFailsWhenItRuns},
    {"AclrtMemcpyBatchAsync.TheFailureNamesTheCallThatQueuedTheTask", "out-of-bounds",
     kFailsWhenItRuns},
    {"AclrtMemcpyBatchItems.RangesOfPinnedItemsAreJudgedWhenTheCopyRuns", "out-of-bounds",
     kFailsWhenItRuns},
    {"AclrtMemcpyAsyncWithDesc.ADescriptorOf4GiBMeans4GiB", "out-of-bounds", kFailsWhenItRuns},
    {"AclrtRecordEvent.RecordsBehindATaskThatFails", "out-of-bounds", kFailsWhenItRuns},
    {"AclrtSetExceptionInfoCallback.*", "out-of-bounds", kFailsWhenItRuns},
    {"AclrtSetMemcpyDesc.ALengthOf4GiBIsStoredAsZero", "out-of-bounds",
     "no allocation has the length that the test stores; nothing is copied"},
    {"AclrtSetStreamAttribute.SetsTheFailureModeForTheWholeContext", "out-of-bounds",
     kFailsWhenItRuns},
    {"AclrtSetStreamFailureModeStop.*", "out-of-bounds", kFailsWhenItRuns},
    {"AclrtStreamQuery.DoesNotTellAFailureAndKeepsIt", "out-of-bounds", kFailsWhenItRuns},
    {"AclrtSynchronize*.*Fail*", "out-of-bounds", kFailsWhenItRuns},
    {"AclrtSynchronizeStream.KeepsTheTextOfAThreadFromTheOthers", "out-of-bounds",
     kFailsWhenItRuns},
    {"DeviceMemoryHasPadding.QueuedWorkIsJudgedWhenItRuns", "out-of-bounds", kFailsWhenItRuns},
    {"MisuseMemory.QueuedSizesThatCannotBeFailWhenTheyRun", "out-of-bounds", kFailsWhenItRuns},
    {"RegisteredMemoryIsPinned.QueuedWorkBeyondTheRangeFailsWhenItRuns", "out-of-bounds",
     kFailsWhenItRuns},

    {"Aclrt*.*FreedBeforeThe*", "free-in-flight", kFreedUnderWork},
    {"Aclrt*.*FreedBeforeThe*", "use-after-free", kFreedUnderWork},
    {"Aclrt*.FailsForMemoryThatWasFreedBeforeTheCopyRan", "free-in-flight", kFreedUnderWork},
    {"AclrtFree*.DoesNotWaitForQueuedWorkWhichThenFails", "free-in-flight", kFreedUnderWork},
    {"AclrtFree*WithDevSync.Re*Task*", "free-in-flight", kFreedUnderWork},
    {"MisuseMemory.MemoryFreedUnderQueuedWorkFailsTheWork", "free-in-flight", kFreedUnderWork},
    {"RegisteredMemoryIsPinned.UnregisteringTakesTheDevicePointerFromQueuedWork", "free-in-flight",
     kFreedUnderWork},

    {"AclrtRecordNotify*.*", "host-read-in-flight", kLooksEarly},
    {"AclrtResetEvent.*", "host-read-in-flight", kLooksEarly},
    {"AclrtStreamAbort.LeavesOtherStreamsAlone", "host-read-in-flight", kLooksEarly},
    {"AclrtStreamWaitEvent*.*", "host-read-in-flight", kLooksEarly},
    {"AclrtWaitAndResetNotify.HoldsWorkQueuedLaterUntilTheSignal", "host-read-in-flight",
     kLooksEarly},
    {"ScheduleLazy.RunsNothingBeforeSomebodyWaits", "host-read-in-flight", kLooksEarly},

    {"Aclrt*.OverlappingRangesStayInsideTheDestination", "overlap",
     "the test is about what overlapping copies leave alone"},

    {"AclrtSetExceptionInfoCallback.IsToldAboutEachTaskOfSeveralStreams", "stream-race",
     "tasks that fail write nothing, so they may name the same memory"},
    {"AclrtStreamAbort.EndsTheWaitOfOtherStreamsForARecordThatIsGone", "stream-race",
     "a wait that an abort has ended orders nothing"},
    {"ScheduleShuffle.MeansTheSameRunForTheSameSeed", "stream-race",
     "which of several writers comes last shows the order of the run"},

    {"AclrtDevice*PeerAccessProcess.*", "uninitialised-read", kContentsDoNotMatter},
    {"AclrtFreeHost.DoesNotWaitForQueuedWorkWhichThenFails", "uninitialised-read",
     kContentsDoNotMatter},
    {"AclrtMemcpy*.*", "uninitialised-read", kContentsDoNotMatter},
    {"AclrtStreamWaitEvent*.R*AChain*", "uninitialised-read", kContentsDoNotMatter},
    {"CopiesWithADefaultDevice.SomeSetItAndSomeRefuse", "uninitialised-read", kContentsDoNotMatter},
    {"DeviceMemoryHasPadding.*", "uninitialised-read", kContentsDoNotMatter},
    {"ScheduleLazy.EndsForThoseWhoPoll", "uninitialised-read", kContentsDoNotMatter},

    // A task that was about to run is dropped when its context stops; nobody is told.
    {"*AStoppedContextRefuses*", "free-in-flight", kDroppedByAFailure},
    {"AclrtSetStreamFailureModeStop.*", "free-in-flight", kDroppedByAFailure},
    {"AclrtSetStreamFailureModeStop.*", "stream-race", kDroppedByAFailure},
    {"AclrtSetStreamFailureModeStop.*", "host-read-in-flight", kDroppedByAFailure},
    {"AclrtSetStreamFailureModeStop.*", "host-write-in-flight", kDroppedByAFailure},
    {"AclrtSetStreamFailureModeStop.*", "sync-copy-race", kDroppedByAFailure},
    {"*AStoppedContextRefuses*", "host-read-in-flight", kDroppedByAFailure},
    {"*AStoppedContextRefuses*", "sync-copy-race", kDroppedByAFailure},

    {"MisuseThreads.*", "free-in-flight", kWildCalls},
    {"MisuseThreads.*", "stream-race", kWildCalls},
    {"MisuseThreads.*", "sync-copy-race", kWildCalls},
    {"MisuseThreads.*", "uninitialised-read", kWildCalls},
    {"MisuseThreads.*", "use-after-free", kWildCalls},
};

}  // namespace conformance
