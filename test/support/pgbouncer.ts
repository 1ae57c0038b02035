/** Starts PgBouncer in front of PostgreSQL, in transaction mode: clients share the connections to the server. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './local-server.js';
import { ownFolder, type PostgresServer, unprivileged } from './postgres.js';

/** Debian installs it in a folder that is only on root's path. */
const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find((name) => spawnSync(name, ['--version']).status === 0);

export const hasPgBouncer = program !== undefined;
export const pgBouncerOrWhyNot = hasPgBouncer ? 'PgBouncer' : 'PgBouncer (skipped: it is not installed)';

export interface Pooler {
  readonly url: string;
  dispose(): Promise<void>;
}

/** Resolves when it accepts connections. */
export async function startPgBouncer({ port }: PostgresServer): Promise<Pooler> {
  const folder = await ownFolder();
  const own = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    [
      '[databases]',
      `postgres = host=127.0.0.1 port=${port} user=postgres`,
      '[pgbouncer]',
      ...['listen_addr = 127.0.0.1', `listen_port = ${own}`, 'unix_socket_dir =', 'auth_type = any'],
      ...['pool_mode = transaction', 'default_pool_size = 2'],
    ].join('\n'),
  );
  const child: ChildProcess = spawn(program ?? '', ['-q', file], { stdio: 'ignore', ...unprivileged() });
  for (let attempt = 0; !(await answers(own)); attempt++) {
    if (attempt === 100 || child.exitCode !== null) throw new Error('PgBouncer does not start');
    await sleep(50);
  }
  return {
    url: `postgres://postgres@127.0.0.1:${own}/postgres`,
    async dispose() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
