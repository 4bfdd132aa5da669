// What Swift sees of libsystemd.
#ifndef EIDER_CSYSTEMD_SHIM_H
#define EIDER_CSYSTEMD_SHIM_H

#include <systemd/sd-daemon.h>

#endif
