/* The program `vivace`. Its commands: cli/commands.c. */
#include <signal.h>

#include "cli/cli.h"

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is then a reported error and does not kill the process */
    return cli_main(argc, argv);
}
