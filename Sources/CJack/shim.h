// What Swift sees of libjack.
#ifndef EIDER_CJACK_SHIM_H
#define EIDER_CJACK_SHIM_H

#include <jack/jack.h>
#include <jack/thread.h>
#include <jack/metadata.h>
#include <jack/statistics.h>
#include <jack/uuid.h>

// Promises for the audio thread. Swift's compiler checks that code marked @_noLocks neither locks nor allocates; of a C
// function it cannot know, so it takes the word given here. Each promise has its reason.
#define EIDER_REALTIME __attribute__((swift_attr("@_noLocks")))

// Reads the graph in shared memory and, for an input with several connections, adds them up in a buffer that is part of
// the port. libjack documents it as to be called from the process callback.
EIDER_REALTIME void *jack_port_get_buffer(jack_port_t *port, jack_nframes_t frames);

// Reads the timer of the cycle in shared memory; documented as to be called from the process callback only.
EIDER_REALTIME jack_nframes_t jack_last_frame_time(const jack_client_t *client);

// jack_client_open is variadic, which Swift cannot call. `server` is read only with JackServerName among the options.
static inline jack_client_t *eider_jack_client_open(
    const char *name, jack_options_t options, jack_status_t *status, const char *server) {
  return jack_client_open(name, options, status, server);
}

#endif
