/* base/descriptors.h: a child program inherits only the file descriptors that it is given. */
#ifndef VIVACE_BASE_DESCRIPTORS_H
#define VIVACE_BASE_DESCRIPTORS_H

/* Call before exec: every descriptor from `first` on is closed at the exec. Our own descriptors have O_CLOEXEC;
 * this call covers those that libraries opened. Safe between fork and exec. */
void descriptors_close_on_exec(unsigned first);

#endif
