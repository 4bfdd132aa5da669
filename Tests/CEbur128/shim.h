// What the tests see of libebur128.
#ifndef EIDER_CEBUR128_SHIM_H
#define EIDER_CEBUR128_SHIM_H

#include <ebur128.h>

#endif
