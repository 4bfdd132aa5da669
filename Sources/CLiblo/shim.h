// What Swift sees of liblo, and of what the C library has for servers.
#ifndef EIDER_CLIBLO_SHIM_H
#define EIDER_CLIBLO_SHIM_H

#include <lo/lo.h>
#include <lo/lo_lowlevel.h>
#include <sys/epoll.h>
#include <sys/socket.h>

// recvmmsg and accept4 are extensions of GNU/Linux, which Swift's Glibc module leaves out. Declared under names of our
// own, so that a Glibc module that has them one day does not clash; the symbols and the layout are those of
// <sys/socket.h> (struct mmsghdr).

struct eider_datagram {
  struct msghdr header;
  unsigned int length;
};

struct timespec;

extern int eider_recvmmsg(int descriptor, struct eider_datagram *datagrams, unsigned int count, int flags,
                          struct timespec *timeout) __asm__("recvmmsg");

extern int eider_accept4(int descriptor, struct sockaddr *address, socklen_t *size, int flags) __asm__("accept4");

#endif
