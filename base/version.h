/* base/version.h: the version of all programs, and of the results of the simulator. */
#ifndef VIVACE_BASE_VERSION_H
#define VIVACE_BASE_VERSION_H

#define VIVACE_VERSION "0.1.0"

/* Changes whenever a result could change. It is part of every result's key and of every checkpoint. */
#define SIMCORE_VERSION "0.8.4"

#endif
