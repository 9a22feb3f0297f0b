/* The server's hints name what its API has; whoever types commands is told the command that asks for it. */
#include <stdio.h>
#include <string.h>

#include "cli/api_exchange.h"

static const struct {
    const char *api, *command;
} words[] = {
    {"GET /api/v1/designs lists them; a design of your own is sent there first",
     "`vivace designs` lists them; `vivace designs add FILE` sends one of your own"},
    {"Finish or remove one of them (DELETE /api/v1/uploads/{id}).",
     "`vivace push` of the same file again finishes one of them."},
};

void api_words_to_commands(char *text, size_t size)
{
    char rest[256];

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *at = strstr(text, words[i].api);

        if (!at)
            continue;
        snprintf(rest, sizeof rest, "%s", at + strlen(words[i].api));
        snprintf(at, size - (size_t)(at - text), "%s%s", words[i].command, rest);
    }
}
