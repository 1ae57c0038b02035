/** Files of a test server that only their owner can read, in a folder that is deleted with the server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFiles {
  /** Writes a file. Returns its path. */
  write(text: string): string;
  /** Removes all of them. */
  remove(): void;
}

export function defineTemporaryFiles(): TemporaryFiles {
  let folder: string | undefined;
  let files = 0;
  return {
    write(text) {
      folder ??= mkdtempSync(join(tmpdir(), 'kindforge-test-'));
      files++;
      const path = join(folder, `kubeconfig-${files}`);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    },
    remove() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      folder = undefined;
    },
  };
}
