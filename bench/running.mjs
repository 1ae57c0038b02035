/** The processes that benches measure: starts and stops them, and tells what they use. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The command of a build, in `root`. */
export const builtCommand = 'dist/bin/kindforge.cjs';

const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Runs a file of JavaScript in `root`, and resolves to the process and the address that it prints. Ends with the bench. */
export async function startProgram(file, args) {
  const child = spawn(process.execPath, [file, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  const url = await new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? /https:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => {
      running.delete(child);
      reject(new Error(`${file} ended with ${code}`));
    });
  });
  return { child, url };
}

/** Starts a server of a build that lets everyone in. Builds from before there was a second port take no flag for it. */
export function startServer(storage, command = builtCommand) {
  const { stdout: help } = spawnSync(process.execPath, [command, 'serve', '--help'], { cwd: root, encoding: 'utf8' });
  const ports = help.includes('--secure-port') ? ['--http-port', 'auto', '--secure-port', '0'] : ['--http-port', '0'];
  return startProgram(command, ['serve', '--allow-everyone', ...ports, '--storage', storage]);
}

/** Asks a process to stop, and resolves once it has. */
export async function stop({ child }) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** CPU time of a process, in seconds, from fields 14 and 15 of its `stat`; not a number where there is no `/proc`. */
export function cpuSeconds({ child }) {
  const file = `/proc/${child.pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Memory of a process, in MiB. */
export function memoryMiB({ child }) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
}
