// The least that a client of JACK can do, in C: what the speed of Eider is compared with.
//
//     bare-client SERVER NAME play|sum|touch STRIPS
//
// play   fills two outputs a strip with noise, the input of all others
// sum    adds two inputs a strip to two outputs
// touch  asks for the buffers of the same ports as `sum`, and does nothing with them
//
// It says `ready` when it is, and ends with its standard input.
#include <jack/jack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PORTS = 2048, NOISE = 65536 };

static jack_port_t *strips[MOST_PORTS];
static jack_port_t *mix[2];
static int count;
static float noise[NOISE];
static unsigned place;
// Where `touch` leaves what it was given, so that the compiler cannot leave the calls out.
static float *volatile touched;

static int play(jack_nframes_t frames, void *nothing) {
  (void)nothing;
  place = (place + 997) % (NOISE / 2);
  for (int port = 0; port < count; port++) {
    float *out = jack_port_get_buffer(strips[port], frames);
    memcpy(out, noise + (place + port * 61) % (NOISE / 2), frames * sizeof *out);
  }
  return 0;
}

static int sum(jack_nframes_t frames, void *nothing) {
  (void)nothing;
  float *restrict left = jack_port_get_buffer(mix[0], frames);
  float *restrict right = jack_port_get_buffer(mix[1], frames);
  memset(left, 0, frames * sizeof *left);
  memset(right, 0, frames * sizeof *right);
  for (int port = 0; port < count; port += 2) {
    const float *restrict first = jack_port_get_buffer(strips[port], frames);
    const float *restrict second = jack_port_get_buffer(strips[port + 1], frames);
    for (jack_nframes_t frame = 0; frame < frames; frame++) left[frame] += first[frame];
    for (jack_nframes_t frame = 0; frame < frames; frame++) right[frame] += second[frame];
  }
  return 0;
}

static int touch(jack_nframes_t frames, void *nothing) {
  (void)nothing;
  for (int port = 0; port < 2; port++) touched = jack_port_get_buffer(mix[port], frames);
  for (int port = 0; port < count; port++) touched = jack_port_get_buffer(strips[port], frames);
  return 0;
}

static jack_port_t *new_port(jack_client_t *client, const char *name, int number, unsigned long flags) {
  char text[32];
  snprintf(text, sizeof text, "%s_%d", name, number);
  jack_port_t *port = jack_port_register(client, text, JACK_DEFAULT_AUDIO_TYPE, flags, 0);
  if (!port) {
    fprintf(stderr, "port %s cannot be registered\n", text);
    exit(1);
  }
  return port;
}

int main(int words, char **word) {
  int number = words == 5 ? atoi(word[4]) : 0;
  if (number < 1 || number > MOST_PORTS / 2) {
    fprintf(stderr, "usage: bare-client SERVER NAME play|sum|touch STRIPS\n");
    return 2;
  }
  count = 2 * number;
  jack_client_t *client = jack_client_open(word[2], JackNoStartServer | JackServerName | JackUseExactName, NULL, word[1]);
  if (!client) {
    fprintf(stderr, "there is no server %s\n", word[1]);
    return 1;
  }
  int plays = !strcmp(word[3], "play");
  for (int port = 0; port < count; port++)
    strips[port] = new_port(client, plays ? "out" : "in", port + 1, plays ? JackPortIsOutput : JackPortIsInput);
  if (!plays)
    for (int port = 0; port < 2; port++) mix[port] = new_port(client, "out", port + 1, JackPortIsOutput);
  for (int sample = 0; sample < NOISE; sample++) noise[sample] = (rand() / (float)RAND_MAX - 0.5f) * 0.02f;
  jack_set_process_callback(client, plays ? play : !strcmp(word[3], "sum") ? sum : touch, NULL);
  if (jack_activate(client)) return 1;
  puts("ready");
  fflush(stdout);
  while (getchar() != EOF) {}
  jack_client_close(client);
  return 0;
}
