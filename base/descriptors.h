/* base/descriptors.h: what a program that we start finds open: what it is given, and nothing else. */
#ifndef VIVACE_BASE_DESCRIPTORS_H
#define VIVACE_BASE_DESCRIPTORS_H

/* Before a program is started: every descriptor from this one on is closed when the program
 * begins. O_CLOEXEC covers what we open; this covers what libraries open. Safe between fork and exec. */
void descriptors_close_on_exec(unsigned first);

#endif
