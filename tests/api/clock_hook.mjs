// tests/api/clock_hook.mjs: a library (built with cc) that shifts the time of day of one process by the seconds in a file,
// which may change. Other clocks are not changed.
//
//   const clock = makeClock(folder, 'name');          // null where there is no C compiler
//   startFarm({ env: clock.env }); clock.set(600);
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, openSync, closeSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
static const volatile int64_t *off;
__attribute__((constructor)) static void look(void)
{
    int fd = open(getenv("CLOCK_OFF_FILE"), O_RDONLY | O_CLOEXEC);
    void *p = mmap(NULL, sizeof *off, PROT_READ, MAP_SHARED, fd, 0);
    off = p == MAP_FAILED ? NULL : p;
    close(fd);
}
int clock_gettime(clockid_t id, struct timespec *t)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int ret = real(id, t);
    if (ret == 0 && id == CLOCK_REALTIME && off)
        t->tv_sec += *off;
    return ret;
}
`;
const cc = process.env.CC || 'cc';
export const hasCompiler = spawnSync(cc, ['--version']).status === 0;

export function makeClock(folder, name, off = 0) {
  if (!hasCompiler) return null;
  const source = join(folder, 'clock.c'), library = join(folder, 'clock.so'), file = join(folder, `clock-${name}`);
  if (!existsSync(library)) {
    writeFileSync(source, SOURCE);
    execFileSync(cc, ['-shared', '-fPIC', '-o', library, source, '-ldl']);
  }
  const bytes = (seconds) => { const b = Buffer.alloc(8); b.writeBigInt64LE(BigInt(seconds)); return b; };
  writeFileSync(file, bytes(off));
  chmodSync(file, 0o644);
  return {
    env: { LD_PRELOAD: library, CLOCK_OFF_FILE: file },
    /** Overwrites the file in place, because a running process has mapped it. */
    set(seconds) {
      const fd = openSync(file, 'r+');
      writeSync(fd, bytes(seconds), 0, 8, 0);
      closeSync(fd);
    },
  };
}
