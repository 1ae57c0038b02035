/** Starts Redis for tests, on a free loopback port, with its data only in memory. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './local-server.js';

/** Whether Redis is installed; Debian has it in `redis-server`. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** For the names of tests that need it. */
export const redisOrWhyNot = hasRedis ? 'redis' : 'redis (skipped: the program redis-server is not installed)';

export interface RedisServer {
  /** As in `redis://127.0.0.1:6379`. */
  readonly url: string;
  /** Pauses Redis without ending its connections. */
  pause(): void;
  resume(): void;
  /** Ends Redis, and loses its data. */
  dispose(): Promise<void>;
}

/** Resolves when it accepts connections. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', flags, { stdio: ['ignore', 'ignore', 'inherit'] });
  const gone = once(child, 'exit');
  for (let attempt = 0; !(await isListening(port)); attempt++) {
    if (attempt === 200 || child.exitCode !== null) throw new Error('redis-server does not answer');
    await sleep(50);
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async dispose() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  }).then((answer) => {
    socket.destroy();
    return answer === true;
  });
}
