// tests/api/chaos/history.mjs: records requests to a farm and its acknowledgements, with times, for the checker and for the
// analysis of failures: one line of JSON each.
import { appendFileSync } from 'node:fs';

export class History {
  constructor(file) {
    this.file = file;
    this.began = Date.now();
    this.notes = [];
    this.findings = [];
    this.counts = {};
  }
  note(kind, what = {}) {
    const note = { t: Date.now() - this.began, kind, ...what };
    this.notes.push(note);
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    appendFileSync(this.file, `${JSON.stringify(note)}\n`);
    return note;
  }
  /** Records a finding: a state that must not occur. */
  finding(text, what = {}) {
    if (this.findings.length < 200) this.findings.push(text);
    this.note('finding', { text, ...what });
  }
  of(kind) {
    return this.notes.filter((n) => n.kind === kind);
  }
}
