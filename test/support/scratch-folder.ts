/** Folders for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

const make = (): string => mkdtempSync(join(tmpdir(), 'kindforge-test-'));
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Makes a folder for the tests of a file or a `describe`. Removes it after the tests and their own `afterAll`. */
export function scratchFolder(): string {
  const folder = make();
  afterAll(() => remove(folder));
  return folder;
}

/**
 * Makes a folder for the running test, in the test or in `beforeEach`. Removes it after the `afterEach` of the test.
 */
export function testFolder(): string {
  const folder = make();
  onTestFinished(() => remove(folder));
  return folder;
}
