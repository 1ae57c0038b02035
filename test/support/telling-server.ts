/** A built server that tells which modules and files it loads while it runs. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCommand } from './built-command.js';

export interface TellingServer {
  readonly url: string;
  /** Whether it has asked for a module or a file whose name ends like this, so far. */
  hasLoaded(name: string): boolean;
  /** Ends it at once. */
  end(): void;
}

/** Written as it would be in a file of its own, for `--require`. */
const telling = `const Module = require('node:module');
const load = Module._load;
Module._load = (name, ...given) => {
  process.stderr.write('load ' + name + '\\n');
  return load(name, ...given);
};
const fs = require('node:fs');
const open = fs.openSync;
fs.openSync = (name, ...given) => {
  process.stderr.write('open ' + name + '\\n');
  return open(name, ...given);
};`;

/** Starts one in memory, on a free port, which lets everyone in. */
export async function startTelling(...flags: readonly string[]): Promise<TellingServer> {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-telling-'));
  const file = join(folder, 'telling.cjs');
  writeFileSync(file, telling);
  const own = ['serve', '--allow-everyone', '--http-port', '0', '--storage', 'memory', ...flags];
  const child = spawn(process.execPath, ['--require', file, builtCommand(), ...own], { stdio: 'pipe' });
  const end = (): void => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  let told = '';
  child.stderr.on('data', (text) => {
    told += text;
  });
  let printed = '';
  for await (const text of child.stdout) {
    printed += text;
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
    if (url === undefined) continue;
    const hasLoaded = (name: string): boolean => told.includes(`${name}\n`);
    return { url, hasLoaded, end };
  }
  end();
  throw new Error(`the server said only: ${printed}${told}`);
}
