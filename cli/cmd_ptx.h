/* cli/cmd_ptx.h: the subcommands of `vivace ptx`. */
#ifndef VIVACE_CLI_CMD_PTX_H
#define VIVACE_CLI_CMD_PTX_H

int ptx_cmd_run(int argc, char **argv);
int ptx_cmd_list(int argc, char **argv);
int ptx_cmd_print(int argc, char **argv);
int ptx_cmd_diff(int argc, char **argv);

#endif
