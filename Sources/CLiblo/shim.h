// What Swift sees of liblo.
#ifndef EIDER_CLIBLO_SHIM_H
#define EIDER_CLIBLO_SHIM_H

#include <lo/lo.h>
#include <lo/lo_lowlevel.h>

#endif
