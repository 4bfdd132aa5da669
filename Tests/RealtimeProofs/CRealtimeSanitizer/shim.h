// What Swift sees of LLVM's RealtimeSanitizer: between the two calls its runtime ends the program as soon as this thread
// calls anything that may take unbounded time. The runtime has both functions, but its public header does not show them.
#ifndef EIDER_REALTIME_SANITIZER_SHIM_H
#define EIDER_REALTIME_SANITIZER_SHIM_H

#define EIDER_REALTIME __attribute__((swift_attr("@_noLocks")))

EIDER_REALTIME void __rtsan_realtime_enter(void);
EIDER_REALTIME void __rtsan_realtime_exit(void);

#endif
