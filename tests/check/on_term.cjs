// Loaded by tests/check/repeat.mjs before a file of tests: at SIGTERM, node reports the tests that have not ended, runs
// what comes after them, and ends.
process.once('SIGTERM', () => {
  setTimeout(() => process.exit(143), 2000);
  process.emit('beforeExit', 143);
});
