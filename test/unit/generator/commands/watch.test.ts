import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchFolder } from '../../../../generator/commands/watch.js';

/** Waits until a condition holds; otherwise the test's own limit ends it. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
};

test('runs at once and after every change, until it is stopped', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-watch-'));
  const stop = new AbortController();
  let runs = 0;
  const done = watchFolder(folder, () => void runs++, { signal: stop.signal });
  expect(runs).toBe(1);
  writeFileSync(join(folder, 'a.yaml'), 'a');
  await until(() => runs === 2);
  mkdirSync(join(folder, 'deep/er'), { recursive: true });
  writeFileSync(join(folder, 'deep/er/b.yaml'), 'b');
  await until(() => runs >= 3);
  const before = runs;
  rmSync(join(folder, 'deep'), { recursive: true });
  await until(() => runs > before);
  stop.abort();
  await done;
  rmSync(folder, { recursive: true });
});

test('ignores files without definitions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-watch-'));
  const stop = new AbortController();
  let runs = 0;
  const done = watchFolder(folder, () => void runs++, { signal: stop.signal });
  writeFileSync(join(folder, 'notes.txt'), 'a');
  // Long enough for the events of the system, and for the poll every second.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(runs).toBe(1);
  writeFileSync(join(folder, 'a.yaml'), 'a');
  await until(() => runs > 1);
  expect(runs).toBe(2);
  stop.abort();
  await done;
  rmSync(folder, { recursive: true });
});

test('waits for a folder that does not exist yet', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'kindforge-watch-'));
  const stop = new AbortController();
  let runs = 0;
  const done = watchFolder(join(parent, 'later'), () => void runs++, { signal: stop.signal });
  mkdirSync(join(parent, 'later'));
  writeFileSync(join(parent, 'later/a.yaml'), 'a');
  await until(() => runs > 1);
  stop.abort();
  await done;
  rmSync(parent, { recursive: true });
});
