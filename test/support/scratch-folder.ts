/** Folders and files for tests, in the temporary folder of the system. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** Contents by paths. */
export type Files = Readonly<Record<string, string>>;

/**
 * Makes a folder with these files for the tests of a file or a `describe`. Removes it after the tests and their own
 * `afterAll`.
 */
export function scratchFolder(files: Files = {}): string {
  const folder = make(files);
  afterAll(() => remove(folder));
  return folder;
}

/**
 * Makes a folder with these files for the running test, in the test or in `beforeEach`. Removes it after the
 * `afterEach` of the test.
 */
export function testFolder(files: Files = {}): string {
  const folder = make(files);
  onTestFinished(() => remove(folder));
  return folder;
}

/** Returns a function that writes a file below a folder, and returns its path. */
export const filesIn =
  (folder: string) =>
  (name: string, text: string): string => {
    write(folder, { [name]: text });
    return join(folder, name);
  };

/** Writes files below a folder. */
export function write(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Returns the contents of all files below a folder, by path and in the order of the paths. */
export function readFiles(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

function make(files: Files): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kindforge-test-')));
  write(folder, files);
  return folder;
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });
