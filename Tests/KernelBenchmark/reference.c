// The loops of MixKernels in C, as fast as a compiler makes them for this processor (gcc -O3 -march=native): what Eider's
// are compared with. The greatest amplitude is found among bit patterns here too, for else gcc uses no vectors.
#include <stdint.h>
#include <string.h>

static inline uint32_t magnitude(float sample) {
  uint32_t bits;
  memcpy(&bits, &sample, sizeof bits);
  return bits & 0x7fffffffu;
}

uint32_t add_moving(const float *restrict left, const float *restrict right, float *restrict output_left,
                    float *restrict output_right, int count, float resting, float from, float step, int offset) {
  uint32_t peak_left = 0, peak_right = 0;
  for (int index = 0; index < count; index++) {
    float position = resting * (from + step * (float)(offset + index));
    float gain = position * position * position;
    float first = left[index] * gain, second = right[index] * gain;
    output_left[index] += first;
    output_right[index] += second;
    if (magnitude(first) > peak_left) peak_left = magnitude(first);
    if (magnitude(second) > peak_right) peak_right = magnitude(second);
  }
  return peak_left > peak_right ? peak_left : peak_right;
}

uint32_t add_resting(const float *restrict left, const float *restrict right, float *restrict output_left,
                     float *restrict output_right, int count, float gain_left, float gain_right) {
  uint32_t peak_left = 0, peak_right = 0;
  for (int index = 0; index < count; index++) {
    float first = left[index] * gain_left, second = right[index] * gain_right;
    output_left[index] += first;
    output_right[index] += second;
    if (magnitude(first) > peak_left) peak_left = magnitude(first);
    if (magnitude(second) > peak_right) peak_right = magnitude(second);
  }
  return peak_left > peak_right ? peak_left : peak_right;
}
