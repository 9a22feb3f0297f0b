// tests/api/backup_text.mjs: the content of a backup as text that can be compared.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of PostgreSQL's programs. */
export const postgresBin = () => execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();

/** The whole database of a backup as SQL text, the list of its stored files, its members. Unpacks beside the file. */
export function backupText(file) {
  const folder = `${file}.d`;
  mkdirSync(folder);
  execFileSync('tar', ['--zstd', '-xf', file, '-C', folder]);
  const sql = execFileSync(join(postgresBin(), 'pg_restore'), ['--no-owner', '-f', '-', join(folder, 'database.dump')], { encoding: 'utf8', maxBuffer: 1 << 30 });
  // pg_dump's own random key against injected commands, in newer minor versions
  return { sql: sql.replace(/^\\(un)?restrict .*$/gm, ''), blobs: readFileSync(join(folder, 'blobs.tsv'), 'utf8'), members: readdirSync(folder) };
}
