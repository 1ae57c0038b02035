import { expect, test } from 'vitest';
import { createProgress } from '../../../../generator/diagnostics/progress.js';

const textOf = (chunk: string | Uint8Array): string =>
  typeof chunk === 'string' ? chunk : `bytes ${Buffer.from(chunk)}`;

const record = (isTTY: boolean) => {
  const written: string[] = [];
  let time = 0;
  const progress = createProgress({ isTTY, write: (chunk) => written.push(textOf(chunk)) }, () => time);
  return { written, progress, wait: (ms: number) => (time += ms) };
};

test('rewrites one line on a terminal, and clears it at the end', () => {
  const { written, progress, wait } = record(true);
  wait(100);
  progress.step('reading', 1, 3, 'a.yaml');
  wait(10);
  progress.step('reading', 2, 3, 'b.yaml');
  wait(100);
  progress.step('reading', 3, 3, `${'c'.repeat(200)}.yaml`);
  progress.end();
  progress.end();
  expect(written).toEqual([
    'bytes \r\x1b[K',
    'reading 1/3 a.yaml',
    'bytes \r\x1b[K',
    `reading 3/3 ${'c'.repeat(200)}`.slice(0, 100),
    'bytes \r\x1b[K',
  ]);
});

test('prints a line now and then if the output is not a terminal', () => {
  const { written, progress, wait } = record(false);
  for (let step = 1; step <= 50; step++) {
    wait(100);
    progress.step('reading', step, 50, 'a.yaml');
  }
  progress.end();
  expect(written).toEqual(['reading 20/50 a.yaml\n', 'reading 40/50 a.yaml\n']);
});

test('shows how much a job of unknown length has done', () => {
  const { written, progress, wait } = record(false);
  wait(2_000);
  progress.step('migrating', 84, undefined, 'objects');
  expect(written).toEqual(['migrating 84 objects\n']);
});

test('shows nothing for short jobs', () => {
  const { written, progress } = record(true);
  progress.step('reading', 1, 1, 'a.yaml');
  progress.end();
  expect(written).toEqual([]);
});
