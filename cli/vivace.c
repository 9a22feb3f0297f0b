/* The program `vivace`. Its commands: cli/commands.c. */
#include <signal.h>

#include "cli/cli.h"

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error that says so, not a death without a word */
    return cli_main(argc, argv);
}
