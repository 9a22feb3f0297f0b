/* tests/unit/base/attempt_calls.h: attempts by system calls, which the sandbox's filter stops. */
#ifndef VIVACE_TEST_ATTEMPT_CALLS_H
#define VIVACE_TEST_ATTEMPT_CALLS_H

#include "tests/unit/base/attempt.h"

/* --- seccomp: signals --- */
ATTEMPT(by_kill, kill(victim, SIGKILL))
ATTEMPT(by_kill_zero, kill(victim, 0))
ATTEMPT(by_group, kill(-getpgid(victim), SIGTERM))
ATTEMPT(by_everybody, kill(-1, SIGWINCH))
ATTEMPT(by_tkill, syscall(SYS_tkill, victim, SIGKILL))
ATTEMPT(by_tgkill, syscall(SYS_tgkill, victim, victim, SIGKILL))
ATTEMPT(by_queue, syscall(SYS_rt_sigqueueinfo, victim, SIGKILL, NULL))
ATTEMPT(by_pidfd, syscall(SYS_pidfd_open, victim, 0))
ATTEMPT(by_pidfd_signal, syscall(SYS_pidfd_send_signal, channel[1], SIGKILL, NULL, 0))
ATTEMPT(by_owner, fcntl(channel[1], F_SETOWN, victim))
ATTEMPT(by_signal_of_owner, fcntl(channel[1], F_SETSIG, SIGKILL))
ATTEMPT(by_async, fcntl(channel[1], F_SETFL, O_ASYNC))
ATTEMPT(by_async_and_more, fcntl(channel[1], F_SETFL, O_NONBLOCK | O_ASYNC))
ATTEMPT(by_lease, fcntl(channel[1], F_SETLEASE, F_RDLCK))
ATTEMPT(by_notify, fcntl(channel[1], F_NOTIFY, DN_MODIFY | DN_MULTISHOT))
ATTEMPT(by_ioctl_owner, ioctl(channel[1], FIOSETOWN, &victim))
ATTEMPT(by_ioctl_group, ioctl(channel[1], SIOCSPGRP, &victim))
ATTEMPT(by_ioctl_async, ioctl(channel[1], FIOASYNC, &(int){1}))
ATTEMPT(by_timer, syscall(SYS_timer_create, CLOCK_REALTIME, NULL, NULL))
ATTEMPT(by_death, prctl(PR_SET_PDEATHSIG, SIGKILL))

static long by_owner_ex(void)
{
    const struct f_owner_ex who = {F_OWNER_PID, victim};

    return fcntl(channel[1], F_SETOWN_EX, &who);
}

/* The kernel ignores the upper 32 bits of the command. The filter must ignore them too. */
ATTEMPT(by_long_command, syscall(SYS_fcntl, channel[1], 0x100000000UL | F_SETOWN, victim))

/* The whole sequence: sends a chosen signal to another process without a signal system call. */
static long by_all_of_it(void)
{
    if (fcntl(channel[1], F_SETOWN, victim) < 0 || fcntl(channel[1], F_SETSIG, SIGKILL) < 0 ||
        fcntl(channel[1], F_SETFL, O_ASYNC) < 0)
        return -1;
    return write(channel[0], "x", 1) == 1 ? 0 : -1;
}

/* --- seccomp: processes, programs, memory of others --- */
static char *const words[] = {"/bin/true", NULL};
ATTEMPT(by_fork, fork())
ATTEMPT(by_vfork, syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL, NULL, NULL, NULL))
ATTEMPT(by_clone3, syscall(SYS_clone3, NULL, 0))
ATTEMPT(by_exec, execv(words[0], words))
ATTEMPT(by_execveat, syscall(SYS_execveat, AT_FDCWD, words[0], words, NULL, 0))
ATTEMPT(by_trace, syscall(SYS_ptrace, 16 /* PTRACE_ATTACH */, victim, NULL, NULL))
ATTEMPT(by_reading_memory, syscall(SYS_process_vm_readv, victim, NULL, 0, NULL, 0, 0))
ATTEMPT(by_writing_memory, syscall(SYS_process_vm_writev, victim, NULL, 0, NULL, 0, 0))
ATTEMPT(by_comparing, syscall(SYS_kcmp, getpid(), victim, 0, 0, 0))
ATTEMPT(by_renice, setpriority(PRIO_PROCESS, (id_t)victim, 19))
ATTEMPT(by_limits_of_others, prlimit(victim, RLIMIT_CPU, &(struct rlimit){0, 0}, NULL))
ATTEMPT(by_own_limits, setrlimit(RLIMIT_CORE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}))
ATTEMPT(by_affinity, syscall(SYS_sched_setaffinity, victim, 0, NULL))
ATTEMPT(by_code, mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0)
ATTEMPT(by_later_code, mprotect((void *)(uintptr_t)page, 4096, PROT_READ | PROT_EXEC))
ATTEMPT(by_keyed_code, syscall(SYS_pkey_mprotect, page, 4096, PROT_EXEC, -1))
ATTEMPT(by_personality, syscall(SYS_personality, 0x0400000 /* READ_IMPLIES_EXEC */))
ATTEMPT(by_memfd, syscall(SYS_memfd_create, "x", 0))
ATTEMPT(by_shared_memory, syscall(SYS_shmget, 0, 4096, 01600))

/* --- seccomp: the network, and descriptors of others --- */
ATTEMPT(by_tcp, socket(AF_INET, SOCK_STREAM, 0))
ATTEMPT(by_udp, socket(AF_INET6, SOCK_DGRAM, 0))
ATTEMPT(by_raw, socket(AF_PACKET, SOCK_RAW, 0))
ATTEMPT(by_netlink, socket(AF_NETLINK, SOCK_RAW, 0))
ATTEMPT(by_unix, socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0}))
ATTEMPT(by_connect, connect(channel[1], &(struct sockaddr){.sa_family = AF_UNSPEC}, sizeof(struct sockaddr)))
ATTEMPT(by_message, sendmsg(channel[1], &(struct msghdr){0}, 0))
ATTEMPT(by_taking, recvmsg(channel[1], &(struct msghdr){0}, MSG_DONTWAIT))
ATTEMPT(by_ring, syscall(SYS_io_uring_setup, 1, NULL))
ATTEMPT(by_events, syscall(SYS_userfaultfd, 0))

/* --- seccomp: the machine, and the way out --- */
ATTEMPT(by_namespace, unshare(CLONE_NEWUSER | CLONE_NEWNS))
ATTEMPT(by_entering, setns(channel[1], 0))
ATTEMPT(by_mount, syscall(SYS_mount, "none", "/", NULL, 0x5000, NULL))
ATTEMPT(by_root, chroot("/"))
ATTEMPT(by_bpf, syscall(SYS_bpf, BPF_PROG_LOAD, NULL, 0))
ATTEMPT(by_perf, syscall(SYS_perf_event_open, NULL, victim, -1, -1, 0))
ATTEMPT(by_keys, syscall(SYS_keyctl, 0, -1, 1))
ATTEMPT(by_user, setuid(0))
ATTEMPT(by_group_id, setgid(0))
ATTEMPT(by_clock, syscall(SYS_clock_settime, CLOCK_REALTIME, NULL))
ATTEMPT(by_name, syscall(SYS_sethostname, "x", -1))
ATTEMPT(by_new_filter, syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL))
ATTEMPT(by_dumpable, prctl(PR_SET_DUMPABLE, 1))
ATTEMPT(by_tracer, prctl(PR_SET_PTRACER, (unsigned long)victim))
ATTEMPT(by_typing, ioctl(channel[1], TIOCSTI, "x"))
ATTEMPT(by_handle, syscall(SYS_open_by_handle_at, AT_FDCWD, NULL, O_RDONLY))
ATTEMPT(by_link, linkat(AT_FDCWD, other, AT_FDCWD, link_to, 0))
ATTEMPT(by_symbolic_link, symlinkat(other, AT_FDCWD, link_to))
ATTEMPT(by_device, mknodat(AT_FDCWD, link_to, S_IFIFO | 0600, 0))
ATTEMPT(by_folder, mkdirat(AT_FDCWD, link_to, 0700))
ATTEMPT(by_owner_of_file, fchownat(AT_FDCWD, own, getuid(), getgid(), 0))
ATTEMPT(by_x32, syscall(0x40000000L | SYS_getpid))

/* --- seccomp: other ways to the same ends --- */
ATTEMPT(by_being_traced, syscall(SYS_ptrace, 0 /* PTRACE_TRACEME */, 0, NULL, NULL))
ATTEMPT(by_seizing, syscall(SYS_ptrace, 0x4206 /* PTRACE_SEIZE */, victim, NULL, NULL))
ATTEMPT(by_descriptor_of_pidfd, syscall(438 /* pidfd_getfd */, channel[1], 0, 0))
ATTEMPT(by_advice_to_others, syscall(440 /* process_madvise */, channel[1], NULL, 0, 0, 0))
ATTEMPT(by_queue_of_thread, syscall(SYS_rt_tgsigqueueinfo, victim, victim, SIGKILL, NULL))
ATTEMPT(by_message_queue, syscall(SYS_mq_open, "attempt", O_RDWR | O_CREAT, 0600, NULL))
ATTEMPT(by_notice_of_queue, syscall(SYS_mq_notify, 0, NULL))
ATTEMPT(by_semaphores, syscall(SYS_semget, 0, 1, 01600))
ATTEMPT(by_messages, syscall(SYS_msgget, 0, 01600))
ATTEMPT(by_attaching, syscall(SYS_shmat, 0, NULL, 0))
ATTEMPT(by_entering_ring, syscall(426 /* io_uring_enter */, channel[1], 0, 0, 0, NULL, 0))
ATTEMPT(by_ring_resources, syscall(427 /* io_uring_register */, channel[1], 0, NULL, 0))
ATTEMPT(by_fork_in_namespace, syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL))
ATTEMPT(by_adding_key, syscall(SYS_add_key, "user", "attempt", "x", 1, -3))
ATTEMPT(by_requesting_key, syscall(SYS_request_key, "user", "attempt", NULL, -3))
ATTEMPT(by_unmounting, syscall(SYS_umount2, "/proc", 2 /* MNT_DETACH */))
ATTEMPT(by_pivot, syscall(SYS_pivot_root, "/", "/"))
ATTEMPT(by_open_tree, syscall(428 /* open_tree */, AT_FDCWD, "/", 1))
ATTEMPT(by_moving_mount, syscall(429 /* move_mount */, AT_FDCWD, "/", AT_FDCWD, "/", 0))
ATTEMPT(by_file_system, syscall(430 /* fsopen */, "tmpfs", 0))
ATTEMPT(by_mount_flags, syscall(442 /* mount_setattr */, AT_FDCWD, "/", 0, NULL, 0))
ATTEMPT(by_secret_memory, syscall(447 /* memfd_secret */, 0))
ATTEMPT(by_watching, syscall(SYS_inotify_init1, 0))
ATTEMPT(by_watching_all, syscall(SYS_fanotify_init, 0, 0))
ATTEMPT(by_name_of_handle, syscall(SYS_name_to_handle_at, AT_FDCWD, "/", NULL, NULL, 0))
ATTEMPT(by_module, syscall(SYS_init_module, NULL, 0, ""))
ATTEMPT(by_module_file, syscall(SYS_finit_module, channel[1], "", 0))
ATTEMPT(by_kernel, syscall(SYS_kexec_load, 0, 0, NULL, 0))
ATTEMPT(by_reboot, syscall(SYS_reboot, 0, 0, 0, NULL)) /* without the magic numbers the kernel refuses it too */
ATTEMPT(by_swap, syscall(SYS_swapon, "/nowhere", 0))
ATTEMPT(by_accounting, syscall(SYS_acct, "/nowhere"))
ATTEMPT(by_quota, syscall(SYS_quotactl, 0, NULL, 0, NULL))
ATTEMPT(by_kernel_log, syscall(SYS_syslog, 10, NULL, 0))
ATTEMPT(by_scheduler, syscall(SYS_sched_setscheduler, victim, 0, NULL))
ATTEMPT(by_disk_priority, syscall(SYS_ioprio_set, 1, victim, 0))
ATTEMPT(by_moving_pages, syscall(SYS_move_pages, victim, 0, NULL, NULL, NULL, 0))
ATTEMPT(by_migrating_pages, syscall(SYS_migrate_pages, victim, 0, NULL, NULL))
ATTEMPT(by_setting_time, syscall(SYS_settimeofday, NULL, NULL))
ATTEMPT(by_adjusting_time, syscall(SYS_adjtimex, NULL))
ATTEMPT(by_capabilities, syscall(SYS_capset, NULL, NULL))
ATTEMPT(by_groups, syscall(SYS_setgroups, 0, NULL))
ATTEMPT(by_all_ids, syscall(SYS_setresuid, 0, 0, 0))
ATTEMPT(by_file_id, syscall(SYS_setfsuid, 0))
ATTEMPT(by_session, syscall(SYS_setsid))
ATTEMPT(by_process_group, syscall(SYS_setpgid, 0, getppid()))
ATTEMPT(by_new_walls, syscall(444 /* landlock_create_ruleset */, NULL, 0, 1))
ATTEMPT(by_changing_folder, syscall(SYS_chdir, "/"))
ATTEMPT(by_changing_to_descriptor, syscall(SYS_fchdir, root))
ATTEMPT(by_times_of_file, syscall(SYS_utimensat, AT_FDCWD, own, NULL, 0))
ATTEMPT(by_attribute, syscall(SYS_setxattr, own, "user.attempt", "x", 1, 0))
ATTEMPT(by_mode_of_file, syscall(SYS_fchmodat, AT_FDCWD, own, 0777, 0))
ATTEMPT(by_mode_of_descriptor, fchmod(open(own, O_RDONLY), 0777))
ATTEMPT(by_splice, syscall(SYS_splice, channel[1], NULL, channel[0], NULL, 1, 0))
ATTEMPT(by_tee, syscall(SYS_tee, channel[1], channel[0], 1, 0))
ATTEMPT(by_pages_of_pipe, syscall(SYS_vmsplice, channel[1], NULL, 0, 0))
ATTEMPT(by_copying, syscall(SYS_copy_file_range, root, NULL, channel[1], NULL, 1, 0))
ATTEMPT(by_listening, listen(channel[1], 1))
ATTEMPT(by_accepting, accept4(channel[1], NULL, NULL, 0))
ATTEMPT(by_binding, bind(channel[1], &(struct sockaddr){.sa_family = AF_UNIX}, sizeof(struct sockaddr)))
ATTEMPT(by_name_of_peer, getpeername(channel[1], &(struct sockaddr){0}, &(socklen_t){sizeof(struct sockaddr)}))
ATTEMPT(by_option, setsockopt(channel[1], SOL_SOCKET, SO_PASSCRED, &(int){1}, sizeof(int)))
ATTEMPT(by_asking_who,
        getsockopt(channel[1], SOL_SOCKET, SO_PEERCRED, &(struct { int id[3]; }){0}, &(socklen_t){12}))
ATTEMPT(by_sending, sendto(channel[1], "x", 1, MSG_DONTWAIT, NULL, 0))
ATTEMPT(by_many_messages, sendmmsg(channel[1], NULL, 0, 0))

/* An abstract address needs no file. */
static long by_abstract_address(void)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = "\0vivace-attempt"};

    return connect(channel[1], (struct sockaddr *)&to, sizeof to);
}

/* Sends a descriptor through the channel. */
static long by_giving_descriptor(void)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr head;
    } control = {.head = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    struct iovec text = {(char[]){"x"}, 1};
    struct msghdr m = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};

    memcpy(CMSG_DATA(&control.head), &root, sizeof root);
    return sendmsg(channel[1], &m, 0);
}

static int wait_in_namespace(void *stack)
{
    (void)stack;
    pause();
    return 0;
}

/* A thread, which is permitted, in a network of its own, which only root may have without a namespace of users. */
static long by_thread_in_namespace(void)
{
    static _Alignas(16) char stack[1 << 16];

    return clone(wait_in_namespace, stack + sizeof stack,
                 CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_NEWNET, NULL);
}

static long by_code_of_file(void)
{
    int fd = open(own, O_RDONLY | O_CLOEXEC);

    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED ? -1 : 0;
}

/* Writes a program to the folder that it may write to, and runs it. */
static long by_own_program(void)
{
    static const char script[] = "#!/bin/sh\n";
    int fd = openat(AT_FDCWD, program, O_WRONLY | O_CREAT | O_CLOEXEC, 0700);

    if (fd >= 0 && write(fd, script, sizeof script - 1) > 0)
        close(fd);
    return execv(program, words);
}

#if defined __x86_64__
ATTEMPT(by_ports, syscall(SYS_iopl, 3))
ATTEMPT(by_segments, syscall(SYS_modify_ldt, 0, NULL, 0))

/* The numbers of calls differ in 32-bit mode: 20 is getpid there, writev here. */
static long by_calls_of_32_bits(void)
{
    long ret;

    __asm__ volatile("int $0x80" : "=a"(ret) : "a"(20L) : "memory");
    return ret;
}
#endif

static const struct attempt by_seccomp[] = {
    KILLED(by_kill),
    KILLED(by_kill_zero),
    KILLED(by_group),
    KILLED(by_everybody),
    KILLED(by_tkill),
    KILLED(by_tgkill),
    KILLED(by_queue),
    KILLED(by_pidfd),
    KILLED(by_pidfd_signal),
    KILLED(by_owner),
    KILLED(by_signal_of_owner),
    KILLED(by_async),
    KILLED(by_async_and_more),
    KILLED(by_lease),
    KILLED(by_notify),
    REFUSED(by_ioctl_owner, ENOTTY),
    REFUSED(by_ioctl_group, ENOTTY),
    REFUSED(by_ioctl_async, ENOTTY),
    KILLED(by_timer),
    REFUSED(by_death, EPERM),
    KILLED(by_owner_ex),
    KILLED(by_long_command),
    KILLED(by_all_of_it),
    KILLED(by_fork),
    KILLED(by_vfork),
    REFUSED(by_clone3, ENOSYS),
    KILLED(by_exec),
    KILLED(by_execveat),
    KILLED(by_trace),
    KILLED(by_reading_memory),
    KILLED(by_writing_memory),
    KILLED(by_comparing),
    KILLED(by_renice),
    REFUSED(by_limits_of_others, EPERM),
    REFUSED(by_own_limits, EPERM),
    KILLED(by_affinity),
    KILLED(by_code),
    KILLED(by_later_code),
    KILLED(by_keyed_code),
    KILLED(by_personality),
    KILLED(by_memfd),
    KILLED(by_shared_memory),
    KILLED(by_tcp),
    KILLED(by_udp),
    KILLED(by_raw),
    KILLED(by_netlink),
    KILLED(by_unix),
    KILLED(by_connect),
    KILLED(by_message),
    KILLED(by_taking),
    KILLED(by_ring),
    KILLED(by_events),
    KILLED(by_namespace),
    KILLED(by_entering),
    KILLED(by_mount),
    KILLED(by_root),
    KILLED(by_bpf),
    KILLED(by_perf),
    KILLED(by_keys),
    KILLED(by_user),
    KILLED(by_group_id),
    KILLED(by_clock),
    KILLED(by_name),
    KILLED(by_new_filter),
    REFUSED(by_dumpable, EPERM),
    REFUSED(by_tracer, EPERM),
    REFUSED(by_typing, ENOTTY),
    KILLED(by_handle),
    KILLED(by_link),
    KILLED(by_symbolic_link),
    KILLED(by_device),
    KILLED(by_folder),
    KILLED(by_owner_of_file),
    KILLED(by_x32),
    KILLED(by_being_traced),
    KILLED(by_seizing),
    KILLED(by_descriptor_of_pidfd),
    KILLED(by_advice_to_others),
    KILLED(by_queue_of_thread),
    KILLED(by_message_queue),
    KILLED(by_notice_of_queue),
    KILLED(by_semaphores),
    KILLED(by_messages),
    KILLED(by_attaching),
    KILLED(by_entering_ring),
    KILLED(by_ring_resources),
    KILLED(by_fork_in_namespace),
    KILLED(by_adding_key),
    KILLED(by_requesting_key),
    KILLED(by_unmounting),
    KILLED(by_pivot),
    KILLED(by_open_tree),
    KILLED(by_moving_mount),
    KILLED(by_file_system),
    KILLED(by_mount_flags),
    KILLED(by_secret_memory),
    KILLED(by_watching),
    KILLED(by_watching_all),
    KILLED(by_name_of_handle),
    KILLED(by_module),
    KILLED(by_module_file),
    KILLED(by_kernel),
    KILLED(by_reboot),
    KILLED(by_swap),
    KILLED(by_accounting),
    KILLED(by_quota),
    KILLED(by_kernel_log),
    KILLED(by_scheduler),
    KILLED(by_disk_priority),
    KILLED(by_moving_pages),
    KILLED(by_migrating_pages),
    KILLED(by_setting_time),
    KILLED(by_adjusting_time),
    KILLED(by_capabilities),
    KILLED(by_groups),
    KILLED(by_all_ids),
    KILLED(by_file_id),
    KILLED(by_session),
    KILLED(by_process_group),
    KILLED(by_new_walls),
    KILLED(by_changing_folder),
    KILLED(by_changing_to_descriptor),
    KILLED(by_times_of_file),
    KILLED(by_attribute),
    KILLED(by_mode_of_file),
    REFUSED(by_mode_of_descriptor, EPERM),
    KILLED(by_splice),
    KILLED(by_tee),
    KILLED(by_pages_of_pipe),
    KILLED(by_copying),
    KILLED(by_listening),
    KILLED(by_accepting),
    KILLED(by_binding),
    KILLED(by_name_of_peer),
    KILLED(by_option),
    KILLED(by_asking_who),
    KILLED(by_sending),
    KILLED(by_many_messages),
    KILLED(by_abstract_address),
    KILLED(by_giving_descriptor),
    KILLED(by_thread_in_namespace),
    KILLED(by_code_of_file),
    KILLED(by_own_program),
#if defined __x86_64__
    KILLED(by_ports),
    KILLED(by_segments),
    REFUSED(by_calls_of_32_bits, BY_ANY_SIGNAL),
#endif
};

#endif
