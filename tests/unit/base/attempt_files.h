/* tests/unit/base/attempt_files.h: attempts on files, which Landlock stops. */
#ifndef VIVACE_TEST_ATTEMPT_FILES_H
#define VIVACE_TEST_ATTEMPT_FILES_H

#include "tests/unit/base/attempt.h"

/* --- Landlock: files without permission --- */
ATTEMPT(by_reading, open(other, O_RDONLY))
ATTEMPT(by_writing, open(own, O_WRONLY))
ATTEMPT(by_truncating, open(own, O_RDONLY | O_TRUNC))
ATTEMPT(by_climbing, openat(AT_FDCWD, "/proc/self/root", O_RDONLY | O_DIRECTORY))
ATTEMPT(by_listing, open("/", O_RDONLY | O_DIRECTORY))
ATTEMPT(by_removing, unlink(other))
ATTEMPT(by_moving_in, rename(other, link_to))
ATTEMPT(by_moving_out, rename(own, other))
ATTEMPT(by_environment, open("/proc/self/environ", O_RDONLY))
ATTEMPT(by_device_file, open("/dev/null", O_RDWR))

static long by_memory_file(void)
{
    char path[40];

    snprintf(path, sizeof path, "/proc/%d/mem", (int)victim);
    return open(path, O_RDWR);
}

static long by_descriptor_of_others(void)
{
    char path[40];

    snprintf(path, sizeof path, "/proc/%d/fd/0", (int)victim);
    return open(path, O_RDWR);
}

ATTEMPT(by_prepared_link, open(prepared_link, O_RDONLY))
ATTEMPT(by_way_up, openat(AT_FDCWD, way_up, O_RDONLY))
ATTEMPT(by_inherited_folder, openat(root, "etc/passwd", O_RDONLY))
ATTEMPT(by_listing_inherited_folder, openat(root, ".", O_RDONLY | O_DIRECTORY))
ATTEMPT(by_new_file, open(link_outside, O_RDWR | O_CREAT, 0600))
ATTEMPT(by_file_of_shared_memory, open("/dev/shm/vivace-attempt", O_RDWR | O_CREAT, 0600))
ATTEMPT(by_nameless_file, open("/tmp", O_RDWR | O_TMPFILE, 0600))
ATTEMPT(by_zeros, open("/dev/zero", O_RDWR))
ATTEMPT(by_passwords, open("/etc/passwd", O_RDONLY))
ATTEMPT(by_own_memory, open("/proc/self/mem", O_RDWR))
ATTEMPT(by_own_map, open("/proc/self/maps", O_RDONLY))
ATTEMPT(by_own_descriptor, open("/proc/self/fd/0", O_RDONLY))
ATTEMPT(by_own_executable, open("/proc/self/exe", O_RDONLY))
ATTEMPT(by_threads, open("/proc/self/task", O_RDONLY | O_DIRECTORY))
ATTEMPT(by_list_of_processes, open("/proc", O_RDONLY | O_DIRECTORY))
ATTEMPT(by_kernel_setting, open("/proc/sys/kernel/core_pattern", O_RDONLY))
ATTEMPT(by_adjusting_oom, open("/proc/self/oom_score_adj", O_WRONLY))
ATTEMPT(by_map_of_users, open("/proc/self/uid_map", O_WRONLY))

static long of_process(pid_t pid, const char *file, int flags)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    return open(path, flags);
}
ATTEMPT(by_words_of_others, of_process(victim, "cmdline", O_RDONLY))
ATTEMPT(by_environment_of_others, of_process(victim, "environ", O_RDONLY))
ATTEMPT(by_map_of_others, of_process(victim, "maps", O_RDONLY))
ATTEMPT(by_folder_of_others, of_process(victim, "cwd", O_RDONLY | O_DIRECTORY))
ATTEMPT(by_root_of_others, of_process(victim, "root", O_RDONLY | O_DIRECTORY))
ATTEMPT(by_environment_of_parent, of_process(getppid(), "environ", O_RDONLY))
ATTEMPT(by_memory_of_parent, of_process(getppid(), "mem", O_RDWR))
ATTEMPT(by_connections, of_process(getppid(), "net/tcp", O_RDONLY))

/* The kernel shows where such a link leads only to a process that could trace the other one. */
static long by_program_of_others(void)
{
    char path[64], to[64];

    snprintf(path, sizeof path, "/proc/%d/exe", (int)victim);
    return readlink(path, to, sizeof to);
}

static const struct attempt by_landlock[] = {
    REFUSED(by_reading, EACCES),           REFUSED(by_writing, EACCES),
    REFUSED(by_truncating, EACCES),        REFUSED(by_climbing, EACCES),
    REFUSED(by_listing, EACCES),           REFUSED(by_removing, EACCES),
    REFUSED(by_moving_in, EACCES),         REFUSED(by_moving_out, EACCES),
    REFUSED(by_environment, EACCES),       REFUSED(by_device_file, EACCES),
    REFUSED(by_memory_file, EACCES),       REFUSED(by_descriptor_of_others, EACCES),
    REFUSED(by_prepared_link, EACCES),     REFUSED(by_way_up, EACCES),
    REFUSED(by_inherited_folder, EACCES),  REFUSED(by_listing_inherited_folder, EACCES),
    REFUSED(by_new_file, EACCES),          REFUSED(by_file_of_shared_memory, EACCES),
    REFUSED(by_nameless_file, EACCES),     REFUSED(by_zeros, EACCES),
    REFUSED(by_passwords, EACCES),         REFUSED(by_own_memory, EACCES),
    REFUSED(by_own_map, EACCES),           REFUSED(by_own_descriptor, EACCES),
    REFUSED(by_own_executable, EACCES),    REFUSED(by_threads, EACCES),
    REFUSED(by_list_of_processes, EACCES), REFUSED(by_kernel_setting, EACCES),
    REFUSED(by_adjusting_oom, EACCES),     REFUSED(by_map_of_users, EACCES),
    REFUSED(by_words_of_others, EACCES),   REFUSED(by_environment_of_others, EACCES),
    REFUSED(by_map_of_others, EACCES),     REFUSED(by_folder_of_others, EACCES),
    REFUSED(by_root_of_others, EACCES),    REFUSED(by_environment_of_parent, EACCES),
    REFUSED(by_memory_of_parent, EACCES),  REFUSED(by_connections, EACCES),
    REFUSED(by_program_of_others, EACCES),
};

#endif
