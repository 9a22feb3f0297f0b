/* measure COMMAND...: runs the command with its stdout discarded, and prints "cpu_s wall_s peak_mib" on one line.
 * The exit code is the command's. */
#include <stdio.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

int main(int argc, char **argv)
{
    uint64_t begin = clock_monotonic_us();
    struct rusage use;
    int status, null;
    pid_t child;

    if (argc < 2) {
        fprintf(stderr, "usage: measure COMMAND...\n");
        return 64;
    }
    child = fork();
    if (child < 0) {
        perror("measure: fork");
        return 71;
    }
    if (child == 0) {
        null = open("/dev/null", O_WRONLY);
        if (null >= 0)
            dup2(null, STDOUT_FILENO);
        execvp(argv[1], argv + 1);
        perror(argv[1]);
        _exit(127);
    }
    if (wait4(child, &status, 0, &use) < 0) {
        perror("measure: wait4");
        return 71;
    }
    printf("%.3f %.3f %.1f\n",
           (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
               (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6,
           (double)(clock_monotonic_us() - begin) / 1e6, (double)use.ru_maxrss / 1024);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 70;
}
