// mock_team.mjs: the invented users, tokens, links and audit log of mock.mjs.

/** @param {(minutes: number) => string} ago @param {string} hostile */
export function teamWorld(ago, hostile) {
  const day = 1440;
  const token = (id, name, user, scopes, used, expires) => ({ id, name, user, shown: 'vvc_7fQ2', scopes, created_at: ago(30 * day), expires_at: expires, last_used_at: used });
  const link = (id, name, extra) => ({ id, kind: 'run', object: 'r2', name, hide_names: false, frozen_at: null, made_by: 'ann', created_at: ago(3 * day), expires_at: ago(-27 * day), opened: 0, opened_at: null, ...extra });
  const deed = (minutes, actor, action, object, outcome) => ({ at: ago(minutes), team: 'arch-lab', actor, credential: 'session:7', address: '10.0.0.7', action, object, outcome, request_id: `01890a5d-ac96-774b-bcce-${String(minutes).padStart(12, '0')}` });
  return {
    teams: [{ team: 'arch-lab', members: 4, share: 2, role: 'owner' }, { team: 'compilers', members: 2, share: 1, role: 'viewer' }, { team: 'elsewhere', members: 9, share: 1, role: null }],
    members: [
      { user: 'ann', role: 'owner', disabled: false, since: ago(90 * day) }, { user: 'bob', role: 'member', disabled: false, since: ago(60 * day) },
      { user: 'vic', role: 'viewer', disabled: false, since: ago(2 * day) }, { user: 'zoe', role: 'member', disabled: true, since: ago(80 * day) },
    ],
    tokens: [token('t1', 'nightly profiles', 'ann', ['read', 'write'], ago(5), ago(-60 * day)), token('t2', hostile, null, ['read'], null, null)],
    shares: [link('s1', 'for the review', { frozen_at: ago(3 * day), hide_names: true, opened: 12, opened_at: ago(30) }), link('s2', hostile, { kind: 'plan', object: 'p1' })],
    discards: [
      { id: 'd1', at: ago(50), by: 'ann', why: 'bad memory', chosen: { worker: 'node7', from: '2026-11-20' }, results: 3, jobs: 6, runs: 2, jobs_done: 4, jobs_open: 1, jobs_failed: 1, workers: [{ worker: 'node7', simulator: '0.8.1', results: 2 }, { worker: null, simulator: '0.8.0', results: 1 }],
        used_by: [{ run: '01890a5d-ac96-774b-bcce-000000000001', team: 'arch-lab', state: 'done', jobs: 4, jobs_done: 4, answers: [{ design: 'h100', change: -0.123, half_width_before: 0.05, outside: true }, { design: 'h200-l2x2', change: 0.002, half_width_before: 0.03, outside: false }] },
          { run: '01890a5d-ac96-774b-bcce-000000000002', team: 'compilers', state: 'running', jobs: 2, jobs_done: 0, answers: [{ design: 'v100', change: null, half_width_before: null, outside: null }] }] },
      { id: 'd2', at: ago(9 * day), by: hostile, why: hostile, chosen: { quarantined: true, simulator: hostile, result: 'ab'.repeat(32), to: '2026-11-21' }, results: 1, jobs: 0, runs: 0, jobs_done: 0, jobs_open: 0, jobs_failed: 0, workers: [{ worker: hostile, simulator: '0.8.0', results: 1 }], used_by: [] },
    ],
    audit: [deed(30, 'for the review', 'share.open', 's1', 200), deed(90, 'ann', 'share.make', 's1', 201), deed(400, 'bob', 'login', 'bob', 401), deed(410, 'ann', 'workload.delete', hostile, 204)],
  };
}
