/* base/version.h: the version of all programs. */
#ifndef VIVACE_BASE_VERSION_H
#define VIVACE_BASE_VERSION_H

#define VIVACE_VERSION "0.1.0"

#endif
