/** `npm start`: brings `generated/` up to date if its sources have changed, and runs the command with the arguments. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builds, root, stampOf } from './current-build.mjs';

/** Everything that `npm run generate` reads and writes. This check is faster than its own, which compares contents. */
const parts = ['generated', 'generator', 'package-lock.json', 'runtime', 'schemas'];

const file = join(builds, 'generated.stamp');
if (lastStamp() !== stampOf(parts)) {
  const generate = ['--import', 'tsx', 'generator/commands/generate-built-ins.ts'];
  const { status } = spawnSync(process.execPath, generate, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  mkdirSync(builds, { recursive: true });
  writeFileSync(file, stampOf(parts));
}
endWithParent();
await import('./run.mjs');

/**
 * Ends the server when npm ends. npm signals only its shell, and the shell passes no signal on; but this process then
 * gets another parent.
 */
function endWithParent() {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 200).unref();
}

function lastStamp() {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
