/** The folder of programs that suites use. The built command writes it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCommand } from '../built-command.js';

export interface Assets {
  readonly folder: string;
  remove(): void;
}

export function writeAssets(...flags: readonly string[]): Assets {
  const folder = join(mkdtempSync(join(tmpdir(), "kindforge it's ")), 'bin');
  execFileSync(process.execPath, [builtCommand(), 'envtest-assets', folder, ...flags], { stdio: 'ignore' });
  return { folder, remove: () => rmSync(join(folder, '..'), { recursive: true, force: true }) };
}
