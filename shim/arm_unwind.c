/*
 * 32-bit Arm's unwind tables name these, so that a program linked with them has an unwinder. The
 * unwinder uses its own; to name libgcc's would mean loading libgcc_s into every program.
 */
#ifdef __arm__

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN void __aeabi_unwind_cpp_pr0(void);
HIDDEN void __aeabi_unwind_cpp_pr1(void);

HIDDEN void __aeabi_unwind_cpp_pr0(void)
{
}

HIDDEN void __aeabi_unwind_cpp_pr1(void)
{
}

#endif
