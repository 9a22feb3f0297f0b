/* simcore/version.h: which simulator it is. */
#ifndef VIVACE_SIMCORE_VERSION_H
#define VIVACE_SIMCORE_VERSION_H

/* Changes whenever a result could change: part of every result's key, and in every checkpoint. */
#define SIMCORE_VERSION "0.7.0"

#endif
