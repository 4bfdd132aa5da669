// What Swift sees of sending many datagrams by one call, and of keeping a thread on one processor.
#ifndef EIDER_CSENDBATCH_SHIM_H
#define EIDER_CSENDBATCH_SHIM_H

#include <sys/socket.h>

// sendmmsg is an extension of GNU/Linux, which Swift's Glibc module leaves out. Declared under names of our own, so that
// a Glibc module that has it one day does not clash; the symbol and the layout are those of <sys/socket.h>.

struct probe_datagram {
  struct msghdr header;
  unsigned int length;
};

extern int probe_sendmmsg(int descriptor, struct probe_datagram *datagrams, unsigned int count, int flags)
    __asm__("sendmmsg");

// The same holds for sched_setaffinity; `mask` has a bit for each processor.
extern int probe_sched_setaffinity(int thread, unsigned long size, const unsigned long *mask)
    __asm__("sched_setaffinity");

// SCHED_IDLE of <sched.h>, another extension: such a thread runs when no other wants to.
static const int probe_sched_idle = 5;

#endif
