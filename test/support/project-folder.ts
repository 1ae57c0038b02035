/** Folders with the files of a project, in the temporary folder of the system. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Contents by paths. */
export type Files = Readonly<Record<string, string>>;

/** Makes a folder with these files; the caller removes it. */
export function makeFolder(files: Files): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kindforge-project-')));
  write(folder, files);
  return folder;
}

/** Makes a folder with these files, and removes it after the test. */
export function projectFolder(files: Files): string {
  const folder = makeFolder(files);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files below a folder. */
export function write(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
