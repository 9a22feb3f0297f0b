/* server/store/event/event_kinds.h: every kind of event about a run: its name, its text and its parameters. This
 * file has no include guard: a file that includes it first defines EVENT_KIND and the types of parameters.
 *
 *   EVENT_KIND(id, "kind", "text with {parameters}", types and names of the parameters)
 *
 * Types:
 *   NAME      text from a user (names of people, workers, kernels, files; error messages); a shared link that hides
 *             names replaces it
 *   WORD      a public word: a state, an engine, a GPU design, a version
 *   COUNT     a whole number
 *   SHARE     a fraction, written as a percentage
 *   CHANGE    a relative change, written as a percentage with its sign
 *   QUANTITY  a large number
 *   SECONDS   a time
 *   ESTIMATE  a time with its half-width
 *   FLAG      true or absent; its text is empty
 *   PARTS     an event of another kind with its parameters, or a list of such events
 *
 * Text in [brackets] is written only when all parameters in it are present. Brackets do not nest. */
/* clang-format off */

/* --- The start of a run, its jobs and traces --- */
EVENT_KIND(run_started, "run.started", "{by} started the run: {jobs} jobs, engine {engine}.",
           NAME(by) COUNT(jobs) WORD(engine))
EVENT_KIND(run_jobs_later, "run.jobs_later",
           "They are created some thousand at a time; the first begin within seconds.", )
EVENT_KIND(run_jobs_created, "run.jobs_created", "All jobs of the run are created.", )
EVENT_KIND(run_results_known, "run.results_known", "{jobs} of them are done already: the farm had their results.",
           COUNT(jobs))
EVENT_KIND(traces_cut, "traces.cut", "Traces of {jobs} jobs are being cut out of the profile's own file.", COUNT(jobs))
EVENT_KIND(traces_missing, "traces.missing", "{jobs} jobs wait for their traces.", COUNT(jobs))
EVENT_KIND(traces_came, "traces.came", "Traces arrived: {jobs} jobs no longer wait for them.", COUNT(jobs))
EVENT_KIND(traces_unusable, "traces.unusable",
           "The profile's own file of traces cannot serve all jobs ({why}): those left wait until their traces are sent.",
           NAME(why))
EVENT_KIND(traces_no_room, "traces.no_room",
           "Traces cannot be cut out of the profile's own file now ({why}): it is tried again.[ {hint}]",
           NAME(why) NAME(hint))

/* --- Actions of users --- */
EVENT_KIND(run_moved, "run.moved", "{by} {move} the run.", NAME(by) WORD(move)) /* paused, resumed, cancelled */
EVENT_KIND(run_cancel_asked, "run.cancel_asked", "{by} cancels the run in {after}. Until then it is paused.",
           NAME(by) SECONDS(after))
EVENT_KIND(run_cancel_undone, "run.cancel_undone", "{by} withdrew the cancellation.", NAME(by))
EVENT_KIND(run_restarted, "run.restarted",
           "{by} restarted the run: all of it is simulated by {simulator}. {results} results of {before} count no longer; "
           "they stay known.",
           NAME(by) WORD(simulator) COUNT(results) WORD(before))
EVENT_KIND(run_extended, "run.extended", "{by} extended the run: further interim analyses follow.", NAME(by))
EVENT_KIND(look_accepted, "look.accepted", "{by} accepted the extension of interim analysis {look}.", NAME(by) COUNT(look))
EVENT_KIND(look_undone, "look.undone",
           "{by} undid the extension of interim analysis {look}: the run ends with what it had.", NAME(by) COUNT(look))
EVENT_KIND(job_retried, "job.retried", "{by} retried a failed job.", NAME(by))
EVENT_KIND(launch_dropped, "launch.dropped",
           "{by} dropped launch {launch}, which could not be simulated: S{stratum} is projected from its other samples. "
           "This assumes that the launch is like them.",
           NAME(by) COUNT(launch) COUNT(stratum))
EVENT_KIND(launch_replaced, "launch.replaced",
           "{by} replaced launch {launch}, which could not be simulated, by the next of S{stratum}. This assumes that "
           "the launch is like the others of its stratum.",
           NAME(by) COUNT(launch) COUNT(stratum))
EVENT_KIND(caches_requested, "caches.requested",
           "{by} asked for the cache state to be measured on {launches} launches.", NAME(by) COUNT(launches))
EVENT_KIND(results_discarded, "results.discarded",
           "{results} of its results were found wrong and are discarded ({why}): those launches are simulated again, and "
           "all values computed from them are computed again.",
           COUNT(results) NAME(why))

/* --- Ends of jobs --- */
EVENT_KIND(job_failed, "job.failed",
           "Launch {launch} on {design} failed on worker {worker} (attempt {attempt}, {outcome})[: {message}]."
           "[{again} It is tried again.][ It is tried again in {wait}.][{final} It is not tried again.]",
           COUNT(launch) WORD(design) NAME(worker) COUNT(attempt) WORD(outcome) NAME(message) FLAG(again) SECONDS(wait)
           FLAG(final))
EVENT_KIND(worker_vanished, "worker.vanished",
           "Worker {worker} vanished while it simulated launch {launch} on {design}."
           "[{again} It is tried again.][ It is tried again in {wait}.][{final} It is not tried again.]",
           NAME(worker) COUNT(launch) WORD(design) FLAG(again) SECONDS(wait) FLAG(final))
EVENT_KIND(jobs_without_result, "jobs.without_result",
           "{jobs} jobs ended without a result ({failed} failed permanently). The first: {first}",
           COUNT(jobs) COUNT(failed) PARTS(first))
EVENT_KIND(results_differ, "results.differ",
           "Two simulations of the same key gave different results: determinism is broken. The first result is kept, both "
           "are marked disputed.", )
EVENT_KIND(results_quarantined, "results.quarantined",
           "{jobs} of its jobs have no result any more: workers {first} and {second} had different results. Nobody uses "
           "either until a site admin decides (vivace result discard --quarantined).",
           COUNT(jobs) NAME(first) NAME(second))
EVENT_KIND(launches_replaced, "launches.replaced",
           "{launches} launches could not be simulated; the next launches of their strata replace them. This assumes "
           "that they are like the others of their strata.",
           COUNT(launches))
EVENT_KIND(launches_dropped, "launches.dropped",
           "{launches} launches could not be simulated and were dropped: their strata are projected from the others. "
           "This assumes that the dropped launches are like them.",
           COUNT(launches))

/* --- Progress and end of a run --- */
EVENT_KIND(run_strata_done, "run.strata_done", "{done} of {strata} strata are done.", COUNT(done) COUNT(strata))
EVENT_KIND(run_half_done, "run.half_done", "Half of the jobs are done: {done} of {jobs}.", COUNT(done) COUNT(jobs))
EVENT_KIND(run_promise_kept, "run.promise_kept",
           "The interval of {design} is ± {half_width} now, inside the promise of {promise}; it is final when all planned "
           "samples are in.",
           WORD(design) SHARE(half_width) SHARE(promise))
EVENT_KIND(run_stuck, "run.stuck",
           "The results could not be combined, {times} times in a row; the server tries again: {why}.",
           COUNT(times) NAME(why))
EVENT_KIND(run_failed, "run.failed", "The run failed: none of its {jobs} jobs gave a result.", COUNT(jobs))
EVENT_KIND(run_done, "run.done", "All {jobs} jobs are done. {answers}.", COUNT(jobs) PARTS(answers))
EVENT_KIND(run_done_partly, "run.done_partly",
           "The run is done, but {failed} of {jobs} jobs failed; the projection uses only the others. {answers}.",
           COUNT(failed) COUNT(jobs) PARTS(answers))
EVENT_KIND(answer_missing, "answer.missing", "{design}: no projection", WORD(design))
EVENT_KIND(answer_work, "answer.work", "{design}: {instructions} warp instructions", WORD(design) QUANTITY(instructions))
EVENT_KIND(answer_no_interval, "answer.no_interval", "{design}: {time}, interval not known", WORD(design) SECONDS(time))
EVENT_KIND(answer_too_wide, "answer.too_wide",
           "{design}: not known, as its interval is wider than the total itself", WORD(design))
EVENT_KIND(answer_total, "answer.total", "{design}: {total}", WORD(design) ESTIMATE(total))
EVENT_KIND(caches_measured, "caches.measured",
           "Cache state is measured: {errors} (a replay of the launches before, against the run).", PARTS(errors))
EVENT_KIND(caches_error, "caches.error", "{design} [{bound}at least ]{error}", WORD(design) FLAG(bound) CHANGE(error))

/* --- Interim analyses --- */
EVENT_KIND(run_look, "run.look",
           "Interim analysis {look}: {decision}[{ask} Accept it, or undo it and the run ends as it is.]",
           COUNT(look) PARTS(decision) FLAG(ask))
EVENT_KIND(look_kept, "look.kept", "the promise is kept.", )
EVENT_KIND(look_whole, "look.whole", "everything is simulated that can be.", )
EVENT_KIND(look_budget, "look.budget", "the budget is spent[: {promise}].", PARTS(promise))
EVENT_KIND(look_last, "look.last", "this was the last interim analysis[: {promise}].", PARTS(promise))
EVENT_KIND(look_more, "look.more",
           "[{promise}. ][{growth}; in all ]{from} → {to} launches[, + {time}][{limited}, which is the maximum of the budget].",
           PARTS(promise) PARTS(growth) COUNT(from) COUNT(to) SECONDS(time) FLAG(limited))
EVENT_KIND(look_growth, "look.growth", "S{stratum} ([{kernel}][{mixed}several kernels]) needs more: {from} → {to}",
           COUNT(stratum) NAME(kernel) FLAG(mixed) COUNT(from) COUNT(to))
EVENT_KIND(look_promise, "look.promise",
           "[{difference}the difference of ]{design}[{difference} to the baseline] is [{unknown}not known yet]"
           "[{wide}not known yet: its interval is wider than the total itself][known to ± {known}], and ± {wanted} is wanted"
           "[{thin} with more samples under it]",
           FLAG(difference) WORD(design) FLAG(unknown) FLAG(wide) SHARE(known) SHARE(wanted) FLAG(thin))
EVENT_KIND(run_gave_up, "run.gave_up", "The run asks for no more samples: {why}.", NAME(why))

/* --- Events that are older than the kinds --- */
EVENT_KIND(run_text, "run.text", "{text}", NAME(text))
/* clang-format on */
#undef EVENT_KIND
#undef NAME
#undef WORD
#undef COUNT
#undef SHARE
#undef CHANGE
#undef QUANTITY
#undef SECONDS
#undef ESTIMATE
#undef FLAG
#undef PARTS
