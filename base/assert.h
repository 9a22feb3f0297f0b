/* base/assert.h: conditions that are true unless Vivace itself has a fault.
 *
 *   ASSERT(c)      pre- and postconditions and invariants; checked in every build
 *   ASSERT_HOT(c)  the same in inner loops; checked in sanitized builds and with -DASSERT_HOT_ON, else not
 * evaluated
 *
 * A failed one writes file, line, function and condition to stderr and calls abort(): the program ends before a
 * wrong number leaves it. Bad input, a full disk or a lost connection are not faults of Vivace: they are errors
 * (err.h). */
#ifndef VIVACE_BASE_ASSERT_H
#define VIVACE_BASE_ASSERT_H

_Noreturn void assert_failed(const char *condition, const char *file, int line, const char *function);

#define ASSERT(c) ((c) ? (void)0 : assert_failed(#c, __FILE__, __LINE__, __func__))
#ifdef ASSERT_HOT_ON
#define ASSERT_HOT(c) ASSERT(c)
#else
#define ASSERT_HOT(c) ((void)(0 && (c))) /* compiled, never evaluated */
#endif

#endif
