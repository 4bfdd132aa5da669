// What Swift sees of libsndfile.
#ifndef EIDER_CSNDFILE_SHIM_H
#define EIDER_CSNDFILE_SHIM_H

#include <sndfile.h>

// Combinations of enumerations of their own, which Swift does not add up.
enum {
  eider_wav_float = SF_FORMAT_WAV | SF_FORMAT_FLOAT,
  eider_rf64_float = SF_FORMAT_RF64 | SF_FORMAT_FLOAT,
};

#endif
