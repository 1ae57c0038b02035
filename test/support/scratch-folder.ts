/** Folders for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Makes a folder for the tests of a file or a `describe`. It is removed after them and after their own `afterAll`. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
