import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchFolder } from '../../../../generator/commands/watch.js';
import { until } from '../../../support/eventually.js';
import { testFolder } from '../../../support/scratch-folder.js';

test('runs at once and after every change, until it is stopped', async () => {
  const folder = testFolder();
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
});

test('ignores files without definitions', async () => {
  const folder = testFolder();
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
});

test('waits for a folder that does not exist yet', async () => {
  const parent = testFolder();
  const stop = new AbortController();
  let runs = 0;
  const done = watchFolder(join(parent, 'later'), () => void runs++, { signal: stop.signal });
  mkdirSync(join(parent, 'later'));
  writeFileSync(join(parent, 'later/a.yaml'), 'a');
  await until(() => runs > 1);
  stop.abort();
  await done;
});
