/* SIGINT and similar signals, for commands that unpack traces into a temporary folder or write a large file. */
#include <signal.h>
#include <unistd.h>

#include "cli/cli.h"
#include "simcore/trace/bundle.h"

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static const char *volatile unfinished;

void cli_remove_file_on_signals(const char *path)
{
    unfinished = path;
}

/* SA_RESETHAND has restored the default action, so raise() ends the process. */
static void on_signal(int number)
{
    const char *file = unfinished;

    bundle_abandon_all();
    if (file)
        unlink(file);
    raise(number);
}

void cli_remove_scratch_on_signals(void)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction before, ours = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};

        /* Under nohup, and in background jobs of scripts, the signal is ignored and stays ignored. */
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &ours, NULL);
    }
}

void cli_forget_scratch_on_signals(void)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction before;

        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == on_signal)
            signal(signals[i], SIG_DFL);
    }
}
