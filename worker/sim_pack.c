/* Writes the JSON document with the jobs for vivace-sim. */
#include "worker/sim_process.h"

static json_t *job_to_json(const struct sim_job *j)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "job", j->job);
    json_put_str(&o, "trace", j->trace);
    if (j->program)
        json_put_str(&o, "program", j->program);
    json_put_str(&o, "design", j->design);
    json_put_str(&o, "result", j->result);
    if (j->record)
        json_put_str(&o, "record", j->record);
    if (j->warmed)
        json_put_bool(&o, "warmed", true);
    if (j->inside_kernels > 0)
        json_put_double(&o, "inside_kernels", j->inside_kernels);
    if (j->allow_foreign_isa)
        json_put_bool(&o, "allow_foreign_isa", true);
    if (j->limit_cycles)
        json_put_u64(&o, "limit_cycles", j->limit_cycles);
    return json_obj_end(&o);
}

char *sim_pack_text(const struct sim_pack *pack, struct err *e)
{
    struct json_obj o = json_obj_begin(), limits = json_obj_begin();
    json_t *jobs = json_array(), *document;
    struct strbuf text = STRBUF_INIT;
    uint64_t cpu_s = 0;
    char *out;

    for (size_t i = 0; i < pack->count; i++) {
        if (json_push(jobs, job_to_json(&pack->jobs[i])) < 0)
            o.failed = true;
        cpu_s += pack->jobs[i].time_s;
    }
    if (pack->memory_bytes)
        json_put_u64(&limits, "memory_bytes", pack->memory_bytes);
    if (cpu_s)
        json_put_u64(&limits, "cpu_s", cpu_s + SIM_KILL_AFTER_MS / 1000);
    if (pack->require_sandbox)
        json_put_bool(&limits, "require_sandbox", true);
    json_put(&o, "jobs", jobs);
    json_put(&o, "limits", json_obj_end(&limits));
    document = json_obj_end(&o);
    if (document)
        json_write_text(document, false, &text);
    json_decref(document);
    out = document ? strbuf_detach(&text) : NULL;
    if (!out)
        err_no_memory(e);
    return out;
}
