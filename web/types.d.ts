/* The shapes of /api/v1, one interface a resource. The server's OpenAPI document has the last word. */

export interface List<T> { items: T[]; next?: string | null }
export interface ProblemDocument {
  title?: string; detail?: string; status?: number; code?: string; hint?: string; request_id?: string;
}
export type Unit = 'ns' | 'warp_instructions' | 'cycles';
export type Shape = number[];

export type Role = 'viewer' | 'member' | 'owner';
export interface Session {
  name: string; user: string | null; team: string; role: Role | null; scopes: string[];
  share?: { kind: string; object: string; frozen: boolean; hide_names: boolean; expires_at: string; frozen_at: string | null; discarded_at?: string | null };
}
export interface Team { team: string; members: number; share: number; role: Role | null }
export interface Member { user: string; role: Role; disabled: boolean; since: string }
export interface Token { id: string; name: string; user?: string | null; shown: string; scopes: string[]; created_at: string; expires_at: string | null; last_used_at: string | null }
export interface Invitation { invitation: string; team: string; role: Role; expires_at: string }
export interface Share {
  id: string; kind: 'run' | 'plan' | 'profile'; object: string; name: string; hide_names: boolean; frozen_at: string | null; made_by: string;
  created_at: string; expires_at: string; opened: number; opened_at: string | null;
}
export interface ShareWish { kind: string; object: string; name: string; expires_days: number; frozen: boolean; hide_names: boolean }
export interface AuditEntry { at: string; team: string; actor: string; credential: string; address: string; action: string; object: string; outcome: number; request_id: string }

export interface ProfileBrief {
  id: string; format: string; unit: Unit; invocations: number; kernels: number; kernel_shapes: number;
  total: string; total_s: number | null; gpu_name: string; spark: number[]; uploaded_by: string | null;
}
export interface Workload {
  id: string; name: string; created_at: string; archived: boolean;
  state: 'running' | 'done' | 'failed' | 'not_run' | 'not_planned';
  profile: ProfileBrief | null;
  latest_plan: { id: string; method: string; speedup: number; promised_error: number | null } | null;
  latest_run: { id: string; state: string; done: number; jobs: number; created_by: string; created_at: string; projections: ProjectionBrief[] } | null;
}
export interface WorkloadDetail extends Workload {
  profiles: ProfileBrief[]; plans: PlanBrief[]; runs: RunBrief[];
}
export interface PlanBrief {
  id: string; method: string; error: number; confidence: number; seed: number; samples?: number; strata?: number; samples_count?: number; strata_count?: number;
  speedup: number; promised_error: number | null; created_at: string;
  workload?: string; workload_name?: string;
}
export interface RunBrief {
  id: string; plan: string; state: string; designs: (string | { design: string })[]; done: number; jobs: number; created_at: string;
  workload?: string; workload_name?: string; engine?: string;
}
export interface ProjectionValues {
  value?: number | null; half_width?: number | null; unit?: string | null;
  value_s: number | null; half_width_s: number | null;
  value_cycles?: number | null; half_width_cycles?: number | null; level?: number; confidence?: number; looks?: number | null; level_note?: string | null;
}
export interface ProjectionBrief extends ProjectionValues { design: string }

export interface Upload { id: string; piece_bytes: number; missing: number[]; received_bytes?: number }
export interface Note { code: string; sentence: string; count: number; examples?: string[] }
export interface ImportReport {
  format: string; schema: string; gpu: string; clock?: { measured: boolean; low_hz: number; high_hz: number } | null; unit: Unit; invocations: number; kernels: number; kernel_shapes: number;
  devices: number; processes: number; contexts: number; streams: number;
  total_ns: number | null; total_warp_instructions: number | null; total_cycles?: number | null; makespan_ns: number | null; zero_duration: number; bytes_read: number;
  dropped: number; dropped_reasons: Note[]; ignored: number; ignored_reasons: Note[]; warnings: Note[];
}
export interface Import {
  id: string; upload: string | null; name: string; state: 'queued' | 'reading' | 'ready' | 'failed';
  stage: 'recognising' | 'reading' | 'checking' | 'storing' | 'done';
  bytes_read: number; bytes: number; rows: number; workload: string | null; profile: string | null;
  report: ImportReport | null; problem: { code: string; detail: string; hint?: string } | null;
}

export interface Profile {
  id: string; workload: string; workload_name?: string; name: string; format: string; unit: Unit; gpu_name: string;
  invocations: number; zero_invocations: number; kernels: number; kernel_shapes: number;
  total: string; total_s: number | null; makespan_s: number | null; devices: number; streams: number;
  sha256: string; features: string; traces: string | null; report: ImportReport | null; uploaded_by?: string | null; created_at: string;
}
export interface Kernel {
  kernel: number; name: string; grid: Shape; block: Shape; calls: number; total: string;
  mean: number; cov: number; min: number; max: number; share: number;
}
export interface Histogram {
  unit: Unit; scale: 'log' | 'linear'; invocations: number; low: number; high: number; edges: number[];
  strata: { id: number; ids: number[]; n: number; m: number | null; mean: number | null; counts: number[]; drawn: number[] }[];
}
export interface Spread { kernel: number; p50: number; p99: number; spark: number[] }
/** What ran on a stream: neighbouring columns of time in which the same kernel has the longest part. */
export interface StreamStretch { device: number; context: number; stream: number; from_ns: number; to_ns: number; busy_ns: number; launches: number; kernel: number; name: string }
export interface StreamLanes { from_ns: number; to_ns: number; streams: number; items: StreamStretch[] }
export interface Spreads extends List<Spread> { share_of_top_five: number | null; mixed: number }
export interface LaunchSeries {
  unit: Unit; points: { first: number; last: number; launches: number; min: number; mean: number; max: number }[]; invocations: number;
}

export interface Stratum {
  id: number; kernel: string; grid: Shape; block: Shape; mixed_shapes: boolean; population: number; samples: number;
  mean: number; sd: number; cov: number | null; total: string; share_of_time: number; certainty: boolean; planned_sd: number; cost: number;
  planned_variance_share: number | null;
}
/** What simulating a plan's launches on a design is expected to take, by the farm's simulations so far. */
export interface PlanCost { design: string; simulations: number; expected_s: number; fixed_s: number; per_unit_s: number; typical_error: number }
export interface Plan {
  id: string; workload: string; workload_name: string; profile: string; method: string; error: number; confidence: number;
  seed: number; unit: Unit; promised_error: number | null; promise_valid: boolean; planned_df: number | null; speedup: number | null;
  invocations: number; zero_invocations: number; total: string; samples_count: number; strata: Stratum[];
  actual_error: number | null; traces: { bound: number; missing: number; in_file: number }; created_at: string;
  share: number; noise_floor: number; budget: number; assurance: number; assured: number | null; assured_noise: number | null; least_samples: number; cost_fixed: number; cost_per_unit: number; classifier: string;
  with_replacement: boolean; representative: boolean; extensible: boolean; estimator: 'expansion' | 'ratio' | 'instruction_ratio';
  variance: 'samples' | 'successive' | 'model' | 'none'; caution: string; note: string;
}
/** One launch of each shape is simulated, then the plan is made of the cycles. */
export interface Pilot {
  id: string; profile: string; workload: string; workload_name: string; design: string; wanted: Partial<PlanParams>;
  state: 'starting' | 'simulating' | 'planning' | 'done' | 'failed' | 'cancelled'; launches: number | null; simulated: number; not_simulated: number;
  pilot_plan: string | null; run: string | null; run_state: string | null; cycles: string | null; plan: string | null; note: string;
  problem: string | null; hint: string | null; tries: number; created_by: string; created_at: string; finished_at: string | null;
}
export interface PlanSample { invocation: number; stratum: number; weight: number; launch_order: number; kernel: string; value: number }
export interface PlanParams {
  method: string; error: number; confidence: number; seed: number; noise_floor?: number; budget?: number; assurance?: number; least_samples?: number; estimator?: 'ratio' | 'expansion';
  cost?: 'farm';
}
export interface FeaturesAdded { profile: string; sha256: string; launches: number; known: number; methods: string[]; sentence: string }
export interface Method { name: string; title: string; sentence: string; needs: string[]; prefix_is_enough: boolean; needs_sentence: string }
export interface SweepItem {
  method: string; title: string; error: number; why_not: string | null; lacks_features: boolean; strata: number | null; samples: number | null; distinct: number | null;
  speedup: number | null; speedup_instructions: number | null; promised_error: number | null; promise_valid: boolean | null;
  representative: boolean | null; caution: string | null; note: string | null; actual_error: number | null; actual_error_max: number | null;
  inside: number | null; intervals: number | null; covered: number | null; repeats: number; cloud: [number, number][];
}
export interface Traces {
  samples: number; bound: number;
  missing: { invocation: number; stratum: number; context: number; launch_order: number; kernel: string; grid: Shape; block: Shape }[];
  bindings: { invocation: number; trace: string; warp_instructions: number }[];
}
export interface TraceContext {
  index: number; device: number; process: number | string; context: number | string; launches: number; graph_launches: number; samples: number;
}
export interface TraceCommands {
  for: string; title: string; sentence: string; list: string; context: number; samples: number; samples_elsewhere: number;
  samples_replayed: number; samples_tied: number; launches: number; passes: number; surplus: number; notes: string[];
  contexts: TraceContext[]; script: string;
}
export interface LaunchSide { name: string; grid: Shape | null; block: Shape | null }
export interface LaunchVerdict {
  ok: boolean; format: string; context: number; part: string; parts: number; whole: boolean; listed: number; expected: number;
  matched: number; graph_launches: number;
  mismatch: null | { what: 'name' | 'grid' | 'block' | 'missing' | 'extra'; order: number; detail: string; hint: string;
    listed: (LaunchSide & { spelled: string; place: string; number: number }) | null;
    profiled: (LaunchSide & { invocation: number; mangled_name: string | null }) | null };
}
export interface Design { id: string; name: string; builtin: boolean; clock_hz: number; sms: number; gpu_names: string[] }

export interface Counts { blocked: number; ready: number; leased: number; done: number; failed: number; cancelled: number }
export interface Projection extends ProjectionValues {
  df: number | null; done: number; planned: number; complete: boolean; warning: string | null; level: number; relative_half_width: number | null;
  empty_caches?: number; projected_inside?: number;
  /** Launches that began with empty caches, fully warm; null: there are none, or it is not known. */
  warm_bound?: WarmBound | null;
}
export interface WarmBound {
  value: number; half_width: number | null; value_s: number | null; half_width_s: number | null;
  low: number | null; high: number | null; low_s: number | null; high_s: number | null;
}
export interface CacheState {
  relative: number; launches: number; launches_before: number; wanted_before: number; missing_before: number; whole: boolean; settled: boolean;
  share: number; least: number | null; most: number | null;
}
export interface RunDesign {
  design: string; design_sha256: string | null; clock_hz: number | null; projection: Projection;
  model_error: { measured_s: number; simulated_s: number; relative: number } | null;
  cache_state?: CacheState | null;
  makespan_s: number | null; makespan_half_width_s?: number | null; makespan_interval_why_not?: string | null;
  communication?: { launches: number; profiled_s: number; value_s: number | null; half_width_s: number | null; other_s: number | null; other_half_width_s: number | null } | null;
  baseline: {
    design: string; difference_s: number; half_width_s: number | null; ratio: number; ratio_half_width: number | null;
    level: number; confidence?: number; intervals?: number; looks?: number | null; level_note?: string | null; paired_on: number; distinguishable: boolean; cache_reversible?: boolean;
  } | null;
}
/** The last complete answer of a run, and what is simulated for the next one. */
export interface Answer {
  at: string; plan: string; final: boolean; launches: number;
  under_way: { jobs: number; open: number; blocked: number; missing_traces: number; designs: number; cancelled: boolean } | null;
}
export interface Run {
  id: string; plan: string; workload: string; workload_name: string; engine: 'cycle' | 'replay';
  state: 'running' | 'paused' | 'done' | 'failed' | 'cancelled'; created_at: string; finished_at: string | null;
  simulator?: string; stranded?: { jobs: number; workers: number; simulators: string[] } | null;
  counts: Counts; jobs: number; cached: number; promise: number; promised_error: number | null; confidence: number; designs: RunDesign[];
  seed: number; speedup: number | null; inside_kernels?: number | null; eta_s: number | null; eta_error_s?: number | null; as_of: string;
  answer?: Answer | null; rule?: RunRule | null; looks?: Look[]; not_simulated?: { replaced: number; dropped: number; assumption: string | null };
  cache_check?: {
    launches: number; asked_by: string; asked_at: string; launches_before: number;
    state: 'waiting' | 'measuring' | 'measured' | 'failed';
    simulations: number; done: number; failed: number; why: string | null;
  } | null;
}
export interface RunRule {
  until: number | null; confidence: number; resolve: number | null; baseline: string; approve: 'auto' | 'ask'; looks: number;
  budget: { seconds?: number; jobs?: number; money?: number; price_per_s?: number } | null; failures: 'redraw' | 'drop'; settled: boolean;
}
export interface Look {
  number: number; at: string; plan: string; jobs: number; spent_s: number; unit: string; decision: 'more' | 'kept' | 'whole' | 'budget' | 'last';
  kind: string; params: Record<string, unknown>; reason: string;
  promises: { design: string; difference: boolean; value: number | null; half_width: number | null; final_half_width: number | null;
    wanted: number | null; relative_half_width: number | null; relative_wanted: number | null; level: number | null; kept: boolean; trusted: boolean }[];
  extension: {
    plan: string; jobs: number; expected_s: number | null; strata: { stratum: number; kernel: string; from: number; to: number }[];
    answer: 'auto' | 'waiting' | 'accepted' | 'undone'; answered_by: string | null; answered_at: string | null;
  } | null;
}
export interface RunStratum {
  stratum: number; kernel: string; population: number; planned: number; done: number; mean_s: number | null;
  half_width_s: number | null; mean: number | null; unit: string | null; mean_profile: number | null; profile_unit: Unit; spread_simulated: number | null; spread_profile: number | null;
  relative_half_width: number | null; total_s: number | null; total_half_width_s: number | null; share_of_time: number | null; share_of_doubt: number | null;
}
export interface Convergence {
  design: string; confidence: number; promise: number | null; planned: number;
  points: { done: number; value_s: number | null; half_width_s: number | null; value?: number | null; half_width?: number | null; relative_half_width: number | null; at: string }[];
  forecast: { points: { done: number; half_width_s: number | null; half_width: number | null }[]; promise_at: number | null } | null;
}
export interface RunParts {
  designs: { design: string; parts: { model_error: RunDesign['model_error']; model_error_why_not: string | null; measured_makespan_s: number | null } }[];
}
export interface RunMetric { name: string; unit: string; sentence: string; rate: boolean; value: number | null; half_width: number | null; df: number | null; results: number; effective: number | null; not_promised: string | null }
export interface RunMetrics {
  designs: { design: string; level: number; metrics: RunMetric[] }[];
}
export interface ComparedDesign {
  run: string; design: string; workload: string; workload_name: string; engine: 'cycle' | 'replay'; state: string; seed: number;
  total: { value: number | null; half_width: number | null; unit: string; value_s: number | null; half_width_s: number | null; level: number; confidence: number; intervals: number; looks: number | null; level_note: string | null; done: number; planned: number };
  is_baseline: boolean; against: { run: string; design: string } | null;
  difference_s: number | null; half_width_s: number | null; ratio: number | null; ratio_half_width: number | null; df: number | null; level: number | null;
  confidence: number | null; intervals: number; looks: number | null; level_note: string | null; answer: Answer | null;
  paired: boolean; paired_on: number; samples: number; why_not_paired: string | null; distinguishable: boolean; cache_reversible: boolean; empty_caches: number; projected_inside?: number;
}
export interface ComparedKernel {
  run: string; design: string; kernel: string; stratum: number; baseline_s: number | null; total_s: number | null;
  difference_s: number | null; half_width_s: number | null; ratio: number | null; ratio_half_width: number | null; distinguishable: boolean; cache_reversible: boolean;
}
export interface DesignParameter { parameter: string; unit: string | null; values: any[]; same: boolean }
export interface ExtensionCost {
  run: string; until: number | null; resolve: number | null; baseline: number; decision: 'more' | 'kept' | 'whole' | 'budget' | 'last' | null; reason: string | null;
  samples: number | null; jobs: number | null; designs: { design: string; jobs: number }[]; missing_traces: number | null; expected_s: number | null;
  looks_left: number | null; why_not: string | null;
}
export interface Comparison {
  level: number; rule: string; base: ComparedDesign; items: ComparedDesign[]; kernels: ComparedKernel[] | null;
  parameters?: DesignParameter[]; resolve?: ExtensionCost;
}
/** `text` is `kind` and `params`, for people. */
export interface RunEvent { id: number | string; at: string; kind: string; params: Record<string, unknown>; severity: string; text: string }
export interface Attempt {
  number: number; worker: string | null; started_at: string; ended_at: string | null; outcome: string | null;
  message: string | null; last_lines: string | null;
}
export interface Job {
  id: string; run: string; invocation: number; stratum: number; design: string; state: keyof Counts; attempt: number;
  worker: string | null; waits_on?: string | null; failure: { class: string; detail: string } | null; dropped?: boolean; ready_at: string | null; result: string | null;
  attempts?: Attempt[];
}
export interface Counter { name: string; unit: string; value: number | string; sentence: string }
export interface Recording { state: 'ready' | 'leased' | 'done' | 'failed'; asked_by: string; asked_at: string; finished_at: string | null; bytes: number | null; why: string | null }
export interface Result {
  id: string; trace: string | null; design: string | null; design_sha256: string | null; simulator: string; disputed: boolean; key?: string; worker?: string | null; discarded?: { at: string; by: string; why: string; quarantined: boolean } | null; value: number; unit: Unit | 'cycles';
  digest: string; host_seconds: number; seconds: number | null; kernel?: { name: string; demangled: string | null; grid: number[]; block: number[] }; cycles?: number; launch_cycles?: number;
  warp_instructions?: number | string; clock_hz?: number; counters: Counter[]; metrics: { name: string; unit: string; value: number | null; sentence: string }[];
  use: { run: string; job: string; plan: string; profile: string; workload: string; workload_name: string; invocation: number; stratum: number; gpu_name: string; profiled_ns: number | null } | null;
  series: Recording | null;
}
export interface SeriesKind {
  name: string; title: string; group: string; unit: string; of: 'gpu' | 'sm' | 'slice' | 'channel' | 'bank' | 'state' | 'lanes' | 'part';
  lines: number; labels: string[]; mean: (number | null)[]; shares: boolean; sentence: string;
}
export interface SeriesList {
  design: string; simulator: string; kernel: string; cycles: number; clock_hz: number; interval_cycles: number; intervals: number; series: SeriesKind[];
}
export interface Farm {
  workers_alive: number; workers_busy: number; queue: { blocked: number; ready: number; leased: number; total: number };
  jobs_done_last_hour: number; simulator: string; slots?: number;
}
export interface Worker {
  id: string; name: string; host: string; version: string; simulator: string; slots: number; busy: number;
  state: string; seen_at: string; started_at?: string; sandbox?: string;
}
export interface Activity {
  from: string; to: string;
  lanes: { worker: string; run: string | null; workload_name: string | null; from: string; to: string; jobs: number; failed: number; going: boolean }[];
  queue: { run: string | null; workload_name: string | null; state: string; priority: number; leased: number; ready: number; blocked: number; share_of_busy: number | null; created_at: string }[];
  slowest: { run: string; workload_name: string; job: string; worker: string; host_seconds: number; invocation: number; kernel: string; design: string; cycles: number | null }[];
  facts: { done: number; failed: number; lost_leases: number; trouble: number; retries: number; simulated_cycles_per_s: number; stored_bytes: number; team_stored_bytes: number | null };
}
export interface WorkerAttempt {
  run: string | null; workload_name: string | null; job: string | null; number: number; started_at: string | null; ended_at: string; outcome: string;
  message: string | null; host_seconds: number | null; peak_bytes: number | null;
}
export interface LiveEvent { id: string; event: string; data: any }

export interface SearchItem { kind: 'workload' | 'kernel' | 'plan' | 'run' | 'design'; id: string; name: string; detail: string; kernel: number | null; }
