/* A summary of the farm's state, from the answer of /farm. */
#include "cli/client/farm.h"

void farm_print_glance(const json_t *farm)
{
    const json_t *launcher = farm_member(farm, "launcher");
    const char *simulator = farm_text(farm, "simulator"), *problem = farm_text(launcher, "problem");
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER];

    printf("workers    %s alive, %s at work, %s\n", cli_whole(farm_count(farm, "workers_alive"), a),
           cli_whole(farm_count(farm, "workers_busy"), b), cli_counted(farm_count(farm, "slots"), "slot", NULL, c));
    printf("queue      %s under way, %s for a worker, %s for traces\n",
           cli_counted(farm_count(farm, "queue.leased"), "job", NULL, a),
           cli_counted(farm_count(farm, "queue.ready"), "waits", "wait", b),
           cli_whole(farm_count(farm, "queue.blocked"), c));
    printf("last hour  %s done\n", cli_counted(farm_count(farm, "jobs_done_last_hour"), "job", NULL, a));
    if (*simulator)
        printf("simulator  %s\n", simulator);
    if (!json_is_object(launcher))
        return;
    printf("launcher   %s: %s wanted, %s running, %s waiting\n", farm_text(launcher, "kind"),
           cli_counted(farm_count(launcher, "wanted"), "worker", NULL, a),
           cli_whole(farm_count(launcher, "running"), b), cli_whole(farm_count(launcher, "waiting"), c));
    if (*problem)
        printf("           %s\n", problem);
}
