// What this processor can do, which Swift cannot ask by itself.
#ifndef EIDER_CPROCESSOR_SHIM_H
#define EIDER_CPROCESSOR_SHIM_H

#include <stdbool.h>

// Whether the processor has AVX2 and the kernel keeps its registers.
static inline bool eider_processor_has_avx2(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

#endif
