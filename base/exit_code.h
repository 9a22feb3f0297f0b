/* base/exit_code.h: the exit codes of all programs. ERR_MAP (base/err.h) maps each error to its exit code. */
#ifndef VIVACE_BASE_EXIT_CODE_H
#define VIVACE_BASE_EXIT_CODE_H

enum exit_code {
    EXIT_DONE = 0,

    /* vivace, vivace-server and vivace-worker, as BSD's sysexits.h has them */
    EXIT_USAGE = 64,       /* the command line or a setting is wrong */
    EXIT_BAD_INPUT = 65,   /* the input is wrong, damaged or not supported */
    EXIT_NOT_FOUND = 66,   /* the file or the named object does not exist */
    EXIT_UNREACHABLE = 69, /* the server or the database cannot be reached */
    EXIT_DEFECT = 70,      /* a defect, or a failed simulation */
    EXIT_NO_MEMORY = 71,
    EXIT_IO = 74,        /* reading or writing failed, or no space is left */
    EXIT_TRY_AGAIN = 75, /* used by vivace-sim too */
    EXIT_NOT_ALLOWED = 77,

    /* vivace-sim: how a simulation ended; a worker reports it as the outcome of the attempt (worker/verdict.c) */
    SIM_EXIT_USAGE = 2,
    SIM_EXIT_BAD_INPUT = 3,   /* the trace or the design is damaged or missing */
    SIM_EXIT_UNSUPPORTED = 4, /* its format or version is not supported */
    SIM_EXIT_MISMATCH = 5,    /* trace and GPU do not match: a CTA does not fit into an SM */
    SIM_EXIT_DEADLOCK = 6,
    SIM_EXIT_LIMIT_CYCLES = 7,
    SIM_EXIT_MEMORY = 8
};

#endif
