/** Starts etcd for benches: one member, on the same disk as the rest. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Its client port is 23790, its data goes with the folder. */
export async function startEtcd(folder) {
  const [client, peer] = ['http://127.0.0.1:23790', 'http://127.0.0.1:23800'];
  const addresses = ['--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer];
  const cluster = ['--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`];
  const data = ['--data-dir', join(folder, 'etcd'), '--logger', 'zap', '--log-level', 'error'];
  const quota = ['--quota-backend-bytes', '8589934592'];
  const child = spawn('etcd', [...addresses, ...cluster, ...data, ...quota], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  for (let attempt = 0; ; attempt++) {
    const healthy = await fetch(`${client}/health`).catch(() => undefined);
    if (healthy?.ok) return { child, storage: `etcd:${client}` };
    if (attempt === 100) throw new Error('etcd does not answer');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
