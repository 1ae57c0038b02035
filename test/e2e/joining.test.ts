/** An unknown machine joins by a bootstrap token, with only curl and openssl. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flattenedVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListeningServer, startServer } from '../../server/index.js';
import { scratchFolder } from '../support/scratch-folder.js';

const folder = scratchFolder();
const file = (name: string): string => join(folder, name);
const hasPrograms = ['curl', 'openssl'].every((program) => spawnSync(program, ['--version']).error === undefined);
const token = 'abcdef.0123456789abcdef';

const namings = {
  platform: {
    group: 'platform.io',
    namespaces: 'platform',
    type: 'bootstrap.platform.io/token',
    signer: 'platform.io/apiserver-client-agent',
  },
  kubernetes: {
    group: 'k8s.io',
    namespaces: 'kube',
    type: 'bootstrap.kubernetes.io/token',
    signer: 'kubernetes.io/kube-apiserver-client-kubelet',
  },
} as const;

describe.each(['platform', 'kubernetes'] as const)('with the naming of %s', (naming) => {
  const { group, namespaces, type, signer } = namings[naming];
  const requests = `/apis/certificates.${group}/v1/certificatesigningrequests`;
  const info = `/api/v1/namespaces/${namespaces}-public/configmaps/cluster-info`;
  let server: ListeningServer;
  beforeAll(async () => {
    server = await startServer({
      naming,
      tls: {},
      http: false,
      controllers: ['*', 'bootstrapsigner', 'tokencleaner'],
      authentication: { anonymous: 'anonymous', bootstrapTokens: true },
      authorization: { modes: ['Node', 'RBAC'] },
      admission: { enable: ['NodeRestriction'] },
    });
  }, 300_000);
  afterAll(() => server.stop());

  const curl = (path: string, ...args: readonly string[]): Promise<{ readonly code: number; readonly body: string }> =>
    new Promise((resolve, reject) => {
      const all = [
        '-s',
        '-w',
        '\n%{http_code}',
        '-H',
        'content-type: application/json',
        ...args,
        `${server.url}${path}`,
      ];
      execFile('curl', all, (error, out) => {
        const at = out.lastIndexOf('\n');
        if (error) reject(error);
        else resolve({ code: Number(out.slice(at)), body: out.slice(0, at) });
      });
    });
  const send = (body: unknown): readonly string[] => ['-X', 'POST', '-d', JSON.stringify(body)];

  /** Prepares the cluster as an administrator does: creates a token, and rights for agents that join with it. */
  async function prepare(): Promise<void> {
    const { users, clusters } = JSON.parse(server.kubeconfig);
    const pem = (text: string) => Buffer.from(text, 'base64').toString();
    writeFileSync(file('admin.crt'), pem(users[0].user['client-certificate-data']));
    writeFileSync(file('admin.key'), pem(users[0].user['client-key-data']));
    writeFileSync(file('server.crt'), pem(clusters[0].cluster['certificate-authority-data']));
    const as = ['--cacert', file('server.crt'), '--cert', file('admin.crt'), '--key', file('admin.key')];
    const [id, secret] = token.split('.');
    const stringData = {
      'token-id': id,
      'token-secret': secret,
      'usage-bootstrap-authentication': 'true',
      'usage-bootstrap-signing': 'true',
      'auth-extra-groups': 'system:bootstrappers:machines',
    };
    const made = await curl(
      `/api/v1/namespaces/${namespaces}-system/secrets`,
      ...as,
      ...send({ metadata: { name: `bootstrap-token-${id}` }, type, stringData }),
    );
    expect(made.code, made.body).toBe(201);
    const roles = ['system:node-bootstrapper', `system:certificates.${group}:certificatesigningrequests:nodeclient`];
    for (const [index, role] of roles.entries()) {
      const apiGroup = `rbac.authorization.${group}`;
      const bound = await curl(
        `/apis/${apiGroup}/v1/clusterrolebindings`,
        ...as,
        ...send({
          metadata: { name: `machines-${index}` },
          roleRef: { apiGroup, kind: 'ClusterRole', name: role },
          subjects: [{ apiGroup, kind: 'Group', name: 'system:bootstrappers:machines' }],
        }),
      );
      expect(bound.code, bound.body).toBe(201);
    }
  }

  /** Returns the text about the server, after checking its signature by the token. */
  async function discover(): Promise<string> {
    const { data } = JSON.parse((await curl(info, '-k')).body);
    const [header = '', between, signature = ''] = data[`jws-kubeconfig-${token.split('.')[0]}`].split('.');
    expect(between).toBe('');
    const jws = { protected: header, payload: Buffer.from(data.kubeconfig).toString('base64url'), signature };
    await flattenedVerify(jws, Buffer.from(token), { algorithms: ['HS256'] });
    await expect(flattenedVerify(jws, Buffer.from(`${token}x`), { algorithms: ['HS256'] })).rejects.toThrow();
    return data.kubeconfig;
  }

  it.skipIf(!hasPrograms)(
    `finds the server, trusts it, and gets a certificate${hasPrograms ? '' : ' (skipped: curl or openssl is missing)'}`,
    async () => {
      await prepare();
      // Without credentials, the server shows only the text that the token has signed.
      await expect
        .poll(async () => (await curl(info, '-k')).body, { timeout: 60_000 })
        .toContain('jws-kubeconfig-abcdef');
      expect((await curl(requests, '-k')).code).toBe(403);
      const { cluster } = JSON.parse(await discover()).clusters[0];
      expect(cluster.server).toBe(server.url);
      writeFileSync(file('ca.crt'), Buffer.from(cluster['certificate-authority-data'], 'base64'));

      const subject = '/O=system:nodes/CN=system:node:machine-1';
      const made = spawnSync('openssl', [
        ...['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', subject],
        ...['-keyout', file('node.key'), '-out', file('node.csr')],
      ]);
      expect(made.status, made.stderr.toString()).toBe(0);
      const as = ['--cacert', file('ca.crt'), '-H', `authorization: Bearer ${token}`];
      const sent = await curl(
        requests,
        ...as,
        ...send({
          metadata: { name: 'machine-1' },
          spec: {
            signerName: signer,
            usages: ['digital signature', 'key encipherment', 'client auth'],
            expirationSeconds: 3600,
            request: readFileSync(file('node.csr')).toString('base64'),
          },
        }),
      );
      expect(sent.code, sent.body).toBe(201);
      const certificate = async (): Promise<string> =>
        JSON.parse((await curl(`${requests}/machine-1`, ...as)).body).status.certificate ?? '';
      await expect.poll(certificate, { timeout: 60_000 }).not.toBe('');
      writeFileSync(file('node.crt'), Buffer.from(await certificate(), 'base64'));

      const node = ['--cacert', file('ca.crt'), '--cert', file('node.crt'), '--key', file('node.key')];
      expect((await curl('/api/v1/services', ...node)).code).toBe(200);
      expect((await curl('/api/v1/secrets', ...node)).code).toBe(403);
      const own = { metadata: { name: 'machine-1' } };
      const other = { metadata: { name: 'machine-2' } };
      expect((await curl('/api/v1/nodes', ...node, ...send(own))).code).toBe(201);
      expect((await curl('/api/v1/nodes', ...node, ...send(other))).code).toBe(403);
    },
    120_000,
  );
});
