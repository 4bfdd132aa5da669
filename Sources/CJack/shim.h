// What Swift sees of libjack.
#ifndef EIDER_CJACK_SHIM_H
#define EIDER_CJACK_SHIM_H

#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/statistics.h>
#include <jack/uuid.h>

#endif
