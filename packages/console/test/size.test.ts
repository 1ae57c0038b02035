/** The size of the files that browsers load. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { currentConsole } from '../../../bin/current-build.mjs';
import { root } from '../../../test/support/shared.js';

const folder = join(root, 'packages/console/dist');
const bytesOf = (file: string): number => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;
const sumOf = (files: readonly string[]): number => files.reduce((sum, file) => sum + bytesOf(file), 0);

it('is at most 400 kB compressed, with at most 150 kB before the first paint', () => {
  currentConsole();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const all = files
    .filter((one) => one.isFile() && one.name !== 'stamp')
    .map((one) => join(one.parentPath, one.name).slice(folder.length + 1));
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const first = [...page.matchAll(/(?:src|href)="\/console\/([^"]+)"/g)].map(([, file = '']) => file);
  expect(first.length).toBeGreaterThan(1);
  expect(sumOf(['index.html', ...first])).toBeLessThan(150_000);
  expect(sumOf(all)).toBeLessThan(400_000);
});
