// What GNU/Linux's C library has, and Swift's Glibc module leaves out.
#ifndef EIDER_CGLIBC_SHIM_H
#define EIDER_CGLIBC_SHIM_H

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Extensions are declared under names of our own, so that a Glibc module that has them one day does not clash; the symbols
// and the layout are those of the system's headers.

// struct mmsghdr of <sys/socket.h>.
struct eider_datagram {
  struct msghdr header;
  unsigned int length;
};

struct timespec;
struct pollfd;

extern int eider_recvmmsg(int descriptor, struct eider_datagram *datagrams, unsigned int count, int flags,
                          struct timespec *timeout) __asm__("recvmmsg");

extern int eider_accept4(int descriptor, struct sockaddr *address, socklen_t *size, int flags) __asm__("accept4");

// The last argument, a set of signals, is not needed here.
extern int eider_ppoll(struct pollfd *polled, unsigned long count, const struct timespec *timeout,
                       const void *signals) __asm__("ppoll");

extern int eider_set_default_thread_attributes(const pthread_attr_t *attributes) __asm__("pthread_setattr_default_np");

// gettid needs a macro that Swift does not define.
static inline int32_t eider_thread_number(void) { return (int32_t)syscall(SYS_gettid); }

static inline int eider_set_mmap_threshold(int bytes) { return mallopt(M_MMAP_THRESHOLD, bytes); }

static inline int eider_set_thread_stack(size_t bytes) {
  pthread_attr_t attributes;
  int failure = pthread_attr_init(&attributes);
  if (failure != 0) return failure;
  failure = pthread_attr_setstacksize(&attributes, bytes);
  if (failure == 0) failure = eider_set_default_thread_attributes(&attributes);
  pthread_attr_destroy(&attributes);
  return failure;
}

#endif
