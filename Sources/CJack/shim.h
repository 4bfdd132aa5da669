// What Swift sees of libjack.
#ifndef EIDER_CJACK_SHIM_H
#define EIDER_CJACK_SHIM_H

#include <jack/jack.h>
#include <jack/thread.h>
#include <jack/metadata.h>
#include <jack/statistics.h>
#include <jack/uuid.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

// Promises for the audio thread. Swift's compiler checks that code marked @_noLocks neither locks nor allocates; of a C
// function it cannot know, so it takes the word given here. Each promise has its reason.
#define EIDER_REALTIME __attribute__((swift_attr("@_noLocks")))

// Reads the graph in shared memory and, for an input with several connections, adds them up in a buffer that is part of
// the port. libjack documents it as to be called from the process callback.
EIDER_REALTIME void *jack_port_get_buffer(jack_port_t *port, jack_nframes_t frames);

// Reads the timer of the cycle in shared memory; documented as to be called from the process callback only.
EIDER_REALTIME jack_nframes_t jack_last_frame_time(const jack_client_t *client);

// Reads the timer of the cycle in shared memory; documented as to be called from the process callback.
EIDER_REALTIME int jack_get_cycle_times(
    const jack_client_t *client, jack_nframes_t *frame, jack_time_t *start, jack_time_t *next, float *length);

// Reads the system's monotonic clock, as below.
EIDER_REALTIME jack_time_t jack_get_time(void);

// Nanoseconds of the monotonic clock, which the kernel maps into every process: no system call.
EIDER_REALTIME static inline uint64_t eider_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// The calling thread's own word for itself, from its own memory: no system call.
EIDER_REALTIME static inline uintptr_t eider_thread_identity(void) { return (uintptr_t)pthread_self(); }

// jack_client_open is variadic, which Swift cannot call. `server` is read only with JackServerName among the options.
static inline jack_client_t *eider_jack_client_open(
    const char *name, jack_options_t options, jack_status_t *status, const char *server) {
  return jack_client_open(name, options, status, server);
}

#endif
