/** The commands of etcd's own tool in docs/storage-etcd.md, while a store is running. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openEtcdStore } from '../../../../../runtime/storage/etcd/index.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../../../../support/etcd.js';
import { testFolder } from '../../../../support/scratch-folder.js';
import { commit, contentOf, encoded, readAttributes } from '../../../../support/store-objects.js';

const hasEtcdctl = spawnSync('etcdctl', ['version']).status === 0;
const toolOrWhyNot = hasEtcdctl ? 'etcdctl' : 'etcdctl (skipped: the program etcdctl is not installed)';

const disposing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const dispose of disposing.splice(0).reverse()) await dispose();
});

async function start(...flags: readonly string[]): Promise<EtcdCluster> {
  const etcd = await startEtcd({ flags });
  disposing.push(() => etcd.dispose());
  return etcd;
}

async function open({ endpoints }: EtcdCluster, login: { readonly user?: string; readonly password?: string } = {}) {
  const store = await openEtcdStore({ endpoints, readAttributes, historyWindowMs: 100, ...login });
  disposing.push(() => store.close());
  return store;
}

/** Runs the tool, and returns its output. */
function etcdctl({ endpoints }: EtcdCluster, ...args: readonly string[]): string {
  const env = { ...process.env, ETCDCTL_API: '3', ETCDCTL_ENDPOINTS: endpoints.join(',') };
  const { status, stdout, stderr } = spawnSync('etcdctl', args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`etcdctl ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const revisionOf = (etcd: EtcdCluster): string =>
  /"revision":(\d+)/.exec(etcdctl(etcd, 'endpoint', 'status', '--write-out', 'json'))?.[1] ?? '';

describe.runIf(hasEtcd && hasEtcdctl)(`${toolOrWhyNot} and ${etcdOrWhyNot}`, () => {
  it('make a full etcd work again: compact, defragment, disarm the alarm', async () => {
    const etcd = await start('--quota-backend-bytes', '8000000');
    const store = await open(etcd);
    let revision = 0;
    let isFull = false;
    for (let index = 0; index < 60 && !isFull; index++) {
      const next = encoded('x'.repeat(300_000));
      const answer = await store.commit({ key: 'g/things/a', expected: revision, next });
      if (answer.outcome === 'committed') revision = answer.entry.revision;
      else isFull = answer.outcome === 'failed' && answer.failure.message.includes('database space exceeded');
    }
    expect(isFull).toBe(true);
    expect(etcdctl(etcd, 'alarm', 'list')).toContain('NOSPACE');
    expect(store.health()).not.toBe('');
    etcdctl(etcd, 'compact', revisionOf(etcd));
    etcdctl(etcd, 'defrag', '--command-timeout', '60s');
    etcdctl(etcd, 'alarm', 'disarm');
    await expect.poll(() => store.confirm(), { timeout: 30_000 }).toBeUndefined();
    await expect.poll(() => store.health(), { timeout: 30_000 }).toBe('');
    expect(contentOf(await commit(store, 'g/things/b', 0, 'after'))).toBe('after');
  });

  it('save a snapshot that another etcd starts from', async () => {
    const etcd = await start();
    const store = await open(etcd);
    const entry = await commit(store, 'g/things/a', 0, 'kept');
    const folder = testFolder();
    const [file, data] = [join(folder, 'all.db'), join(folder, 'data')];
    etcdctl(etcd, 'snapshot', 'save', file);
    etcdctl(etcd, 'snapshot', 'restore', file, '--data-dir', data);
    const restored = await startEtcd({ flags: ['--force-new-cluster'], dataOf: () => data });
    disposing.push(() => restored.dispose());
    const other = await open(restored);
    expect(contentOf(other.get('g/things/a'))).toBe('kept');
    expect(other.get('g/things/a')?.revision).toBe(entry.revision);
  });

  it('give an API a user of its own, with the necessary rights and no others', async () => {
    const etcd = await start();
    for (const command of [
      'user add root:secret',
      'role add kindforge',
      'role grant-permission kindforge --prefix=true readwrite /kindforge/',
      'user add kindforge:password',
      'user grant-role kindforge kindforge',
      'auth enable',
    ]) {
      etcdctl(etcd, ...command.split(' '));
    }
    const store = await open(etcd, { user: 'kindforge', password: 'password' });
    await commit(store, 'g/things/a', 0, 'one');
    const asRoot = ['--user', 'root:secret'];
    // The store leads and compacts by the same right.
    await expect.poll(() => etcdctl(etcd, ...asRoot, 'get', '/kindforge/leader'), { timeout: 30_000 }).not.toBe('');
    expect(() => etcdctl(etcd, '--user', 'kindforge:password', 'get', '/other/')).toThrow('permission denied');
    const grant = (right: string) =>
      etcdctl(etcd, ...asRoot, 'role', 'grant-permission', 'kindforge', '--prefix=true', right, '/kindforge/');
    grant('read');
    const refused = await store.commit({ key: 'g/things/b', expected: 0, next: encoded('two') });
    expect(refused).toMatchObject({
      outcome: 'failed',
      failure: { message: expect.stringContaining('permission denied') },
    });
    expect(store.health()).toContain('permission denied');
    grant('readwrite');
    await commit(store, 'g/things/b', 0, 'two');
    expect(store.health()).toBe('');
  });
});
