// ptrace is variadic, which Swift cannot call.
#ifndef EIDER_CPTRACE_SHIM_H
#define EIDER_CPTRACE_SHIM_H

#include <sys/ptrace.h>
#include <sys/types.h>

static inline long eider_ptrace(int request, pid_t thread) { return ptrace(request, thread, 0, 0); }

enum { eider_trace = PTRACE_SEIZE, eider_interrupt = PTRACE_INTERRUPT, eider_release = PTRACE_DETACH };

#endif
