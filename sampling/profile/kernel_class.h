/* sampling/profile/kernel_class.h: what kind of work a kernel does, from its name. */
#ifndef VIVACE_SAMPLING_KERNEL_CLASS_H
#define VIVACE_SAMPLING_KERNEL_CLASS_H

/* Matrix products include convolutions. Normalisation includes softmax. Copies include fills, conversions and
 * changes of layout. Reduction includes pooling, losses, sorts and scans. */
enum kernel_class {
    CLASS_GEMM,
    CLASS_ATTENTION,
    CLASS_NORMALISATION,
    CLASS_ELEMENTWISE,
    CLASS_REDUCTION,
    CLASS_COPY,
    CLASS_COLLECTIVE,
    CLASS_EMBEDDING,
    CLASS_OTHER
};
#define KERNEL_CLASSES 9

/* kernel_name: demangled or mangled. CLASS_OTHER: no rule of the table matches. */
enum kernel_class kernel_class_of(const char *kernel_name);
extern const char *const kernel_class_names[KERNEL_CLASSES]; /* "gemm", "attention", ... */

#endif
