/** The store over an etcd that requires users or TLS. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openEtcdStore } from '../../../../../runtime/storage/etcd/index.js';
import { type EtcdCluster, enableEtcdUsers, etcdOrWhyNot, hasEtcd, startEtcd } from '../../../../support/etcd.js';
import { scratchFolder } from '../../../../support/scratch-folder.js';
import { commit, contentOf, readAttributes, watching } from '../../../../support/store-objects.js';

describe.runIf(hasEtcd)(`${etcdOrWhyNot} with users`, () => {
  let etcd: EtcdCluster;
  beforeAll(async () => {
    // Unused tokens expire after a second.
    etcd = await startEtcd({ flags: ['--auth-token-ttl', '1'] });
    await enableEtcdUsers(etcd, { name: 'root', password: 'secret' });
  });
  afterAll(() => etcd.dispose());

  const open = (password: string) =>
    openEtcdStore({ endpoints: etcd.endpoints, user: 'root', password, readAttributes, compaction: false });

  it('accepts the right password, and logs in again when the token has expired', async () => {
    const store = await open('secret');
    onTestFinished(() => store.close());
    const watch = watching(store, '', store.revision);
    const entry = await commit(store, 'g/things/a', 0, 'one');
    // Tokens are held in memory: none survives this.
    await etcd.members[0]?.kill();
    await etcd.members[0]?.restart();
    await sleep(100);
    await commit(store, 'g/things/a', entry.revision, 'two');
    expect(await store.confirm()).toBeUndefined();
    expect(contentOf(store.get('g/things/a'))).toBe('two');
    expect(watch.events).toHaveLength(2);
  });

  it('refuses a wrong password or no user at once', async () => {
    await expect(open('wrong')).rejects.toThrow('authentication failed, invalid user ID or password');
    const anonymous = openEtcdStore({ endpoints: etcd.endpoints, readAttributes });
    await expect(anonymous).rejects.toThrow('etcdserver: user name is empty');
  });
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.runIf(hasEtcd && hasOpenssl)(`${etcdOrWhyNot} over TLS`, () => {
  const folder = scratchFolder();
  let etcd: EtcdCluster;
  const path = (name: string) => join(folder, name);

  function openssl(...args: readonly string[]): void {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }

  /** Makes a key and a certificate for this machine, signed by the given one or by itself. */
  function certify(name: string, ...signer: readonly string[]): void {
    const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost'];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
    openssl('req', '-x509', ...key, '-out', `${name}.crt`, '-days', '1', ...subject, ...signer);
  }

  beforeAll(async () => {
    certify('server');
    certify('client');
    certify('stranger');
    etcd = await startEtcd({
      tls: { cert: path('server.crt'), key: path('server.key') },
      flags: ['--client-cert-auth', '--trusted-ca-file', path('client.crt')],
    });
  });
  afterAll(async () => {
    await etcd.dispose();
  });

  async function open(ca: string, client: string) {
    const tls = {
      ca: await readFile(path(`${ca}.crt`)),
      cert: await readFile(path(`${client}.crt`)),
      key: await readFile(path(`${client}.key`)),
    };
    const endpoints = etcd.endpoints.map((endpoint) => endpoint.replace('127.0.0.1', 'localhost'));
    return openEtcdStore({ endpoints, tls, readAttributes, compaction: false, openWithinMs: 500 });
  }

  it('serves a client with a known certificate', async () => {
    const store = await open('server', 'client');
    await commit(store, 'g/things/a', 0, 'one');
    expect(await store.confirm()).toBeUndefined();
    await store.close();
  });

  it('is refused with an unknown certificate, and refuses an unknown client', async () => {
    const [unknownServer, unknownClient] = [open('stranger', 'client'), open('server', 'stranger')];
    await Promise.all([
      expect(unknownServer).rejects.toThrow(/No connection established.*certificate|Deadline exceeded/),
      expect(unknownClient).rejects.toThrow(/etcd at localhost/),
    ]);
  });
});
