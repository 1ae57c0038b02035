/** Certificate requests from their creation to a user with the certificate, for kubectl and the agents of nodes. */
import { writeFileSync } from 'node:fs';
import { request as requestOver } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createResourceClient, defineResource } from '../../client/index.js';
import { loadKubeconfig } from '../../client/node.js';
import { type CertificateSigningRequest, requestsIn } from '../../controllers/certificate-requests.js';
import { defineController, runControllers, watch } from '../../controllers/kit/index.js';
import { type ListeningServer, startServer } from '../../server/index.js';
import { makeAuthority } from '../support/certificate-authority.js';
import { type AlgorithmName, makeRequestAndKey } from '../support/certificates.js';
import { hasKubectl, type Kubectl, kubectlFor, printed } from '../support/kubectl.js';
import { filesIn, scratchFolder } from '../support/scratch-folder.js';

const folder = scratchFolder();
const resource = requestsIn('certificates.k8s.io');
const problems: string[] = [];

const served = {
  naming: 'kubernetes',
  tls: {},
  http: false,
  runtimeConfig: 'authentication.k8s.io/v1beta1=true',
  featureGates: 'APISelfSubjectReview=true',
} as const;

let server: ListeningServer;
beforeAll(async () => {
  server = await startServer({
    ...served,
    onProblem: (problem) => void problems.push(problem),
  });
}, 300_000);
afterAll(() => server.stop());

const client = (at = server) => createResourceClient(resource, at.client());

interface Asked {
  readonly signerName: string;
  readonly subject: string;
  readonly usages: readonly string[];
  readonly algorithm?: AlgorithmName;
  readonly at?: ListeningServer;
  /** The user who makes the request; by default the administrator. */
  readonly user?: string;
}

/** Makes a request and returns the private key. */
async function ask(
  name: string,
  { signerName, subject, usages, algorithm, at = server, user }: Asked,
): Promise<string> {
  const { request, key } = await makeRequestAndKey(subject, algorithm);
  const groups = ['system:masters', 'system:authenticated'];
  const made =
    user === undefined ? at.client() : at.client({ name: user, uid: '', groups: groups.slice(1), extra: {} });
  await createResourceClient(resource, made).create({
    metadata: { name },
    spec: { signerName, usages, request: Buffer.from(request).toString('base64') },
  });
  return key;
}

async function approve(name: string, at = server): Promise<void> {
  const found = await client(at).get(name);
  const conditions = [{ type: 'Approved', status: 'True', reason: 'Test' }];
  await client(at)
    .subresource('approval')
    .update({ ...found, status: { conditions } });
}

const stateOf = async (name: string, at = server) => {
  const { status = {} }: CertificateSigningRequest = await client(at).get(name);
  return { types: (status.conditions ?? []).map(({ type }) => type), certificate: status.certificate ?? '' };
};

async function issued(name: string, at = server): Promise<string> {
  await expect.poll(async () => (await stateOf(name, at)).certificate, { timeout: 60_000 }).not.toBe('');
  return Buffer.from((await stateOf(name, at)).certificate, 'base64').toString();
}

/** Returns the user that the server sees in the bearer of a certificate. */
const whoIs = (cert: string, key: string, at = server): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const { clusters } = JSON.parse(at.kubeconfig);
    const ca = Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64');
    const options = { method: 'POST', ca, cert, key, headers: { 'content-type': 'application/json' }, agent: false };
    const sent = requestOver(`${at.url}/apis/authentication.k8s.io/v1beta1/selfsubjectreviews`, options, (answer) => {
      let body = '';
      answer.on('data', (chunk) => {
        body += chunk;
      });
      answer.on('end', () => resolve(JSON.parse(body).status?.userInfo ?? body));
    });
    sent.on('error', reject);
    sent.end('{}');
  });

const forClients = { signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
const forAgents = {
  signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
  usages: ['key encipherment', 'digital signature', 'client auth'],
};

describe('the signer for clients', () => {
  it.each<AlgorithmName>(['ECDSA P-256', 'RSA SHA-256', 'Ed25519'])(
    'certifies a user with a key of %s',
    async (algorithm) => {
      const name = algorithm.toLowerCase().replace(/[^a-z0-9]+/g, '-');
      const key = await ask(name, { ...forClients, subject: 'O=devs, O=testers, CN=anna', algorithm });
      expect(await stateOf(name)).toEqual({ types: [], certificate: '' });
      await approve(name);
      expect(await whoIs(await issued(name), key)).toMatchObject({
        username: 'anna',
        groups: ['devs', 'testers', 'system:authenticated'],
      });
    },
  );

  it('reports refused requests only in the log', async () => {
    await ask('wrong', { ...forClients, subject: 'CN=anna', usages: ['client auth', 'server auth'] });
    await approve('wrong');
    await expect
      .poll(() => problems)
      .toContain(
        'csrsigning controller: wrong: not signed: usages server auth are not signed; use client auth, digital signature, key encipherment',
      );
    expect(await stateOf('wrong')).toEqual({ types: ['Approved'], certificate: '' });
  });
});

describe('the approver for agents', () => {
  const grant = async (name: string, role: string, user: string) => {
    const bindings = defineResource<{
      apiVersion: string;
      kind: string;
      metadata: { name?: string };
      roleRef?: object;
      subjects?: object[];
    }>()({
      group: 'rbac.authorization.k8s.io',
      version: 'v1',
      plural: 'clusterrolebindings',
      kind: 'ClusterRoleBinding',
      scope: 'Cluster',
      subresources: [],
    } as const);
    const apiGroup = 'rbac.authorization.k8s.io';
    await createResourceClient(bindings, server.client()).create({
      metadata: { name },
      roleRef: { apiGroup, kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup, kind: 'User', name: user }],
    });
  };
  const rights = 'system:certificates.k8s.io:certificatesigningrequests';
  const subject = 'O=system:nodes, CN=system:node:n1';

  it('approves once the requester may obtain the credentials of nodes', async () => {
    await grant('joiner', 'system:node-bootstrapper', 'joiner');
    const key = await ask('joining', { ...forAgents, subject, user: 'joiner' });
    await ask('other', { ...forClients, subject, user: 'joiner' });
    expect((await stateOf('joining')).types).toEqual([]);
    await grant('joiner-nodes', `${rights}:nodeclient`, 'joiner');
    expect(await whoIs(await issued('joining'), key)).toMatchObject({
      username: 'system:node:n1',
      groups: ['system:nodes', 'system:authenticated'],
    });
    const [condition] = (await client().get('joining')).status?.conditions ?? [];
    expect(condition).toMatchObject({ type: 'Approved', status: 'True', reason: 'AutoApproved' });
    expect((await stateOf('other')).types).toEqual([]);
  }, 120_000);

  it('approves requests of a node for itself, and not for other nodes', async () => {
    for (const role of [`${rights}:selfnodeclient`, 'system:node-bootstrapper'])
      await grant(`n2-${role.replace(/.*:/, '')}`, role, 'system:node:n2');
    await ask('for-other', { ...forAgents, subject, user: 'system:node:n2' });
    await ask('renewing', { ...forAgents, subject: 'O=system:nodes, CN=system:node:n2', user: 'system:node:n2' });
    await issued('renewing');
    expect((await stateOf('for-other')).types).toEqual([]);
  }, 120_000);
});

describe.skipIf(!hasKubectl)(`kubectl certificate${hasKubectl ? '' : ' (skipped: kubectl is not installed)'}`, () => {
  let kubectl: Kubectl;
  let config: string;
  beforeAll(() => {
    kubectl = kubectlFor(server.url);
    config = kubectl.file('admin', server.kubeconfig);
  });
  afterAll(() => kubectl.close());
  const run = async (...args: readonly string[]) => printed(await kubectl.run('--kubeconfig', config, ...args));

  it('approves and denies', async () => {
    const key = await ask('good', { ...forClients, subject: 'CN=berta' });
    await ask('bad', { ...forClients, subject: 'CN=carl' });
    expect(await run('certificate', 'approve', 'good')).toMatch(/good approved/);
    expect(await run('certificate', 'deny', 'bad')).toMatch(/bad denied/);
    expect(await whoIs(await issued('good'), key)).toMatchObject({ username: 'berta' });
    const shown = await run('get', 'csr', '--no-headers');
    expect(shown).toMatch(/^good .* Approved,Issued$/m);
    expect(shown).toMatch(/^bad .* Denied$/m);
  }, 120_000);
});

it('allows other programs to sign, over TLS', async () => {
  const path = join(folder, 'kubeconfig');
  writeFileSync(path, server.kubeconfig);
  const connection = { kubeconfig: loadKubeconfig({ path }) };
  const failure = { type: 'Failed', status: 'True', reason: 'Test' };
  const signer = defineController({
    name: 'own',
    watches: [watch(resource)],
    async reconcile(key, { client: connected, cacheOf, signal }) {
      const request = cacheOf(resource).get(key);
      if (request?.spec?.signerName !== 'example.com/own' || request.status?.conditions) return;
      const failed = { ...request, status: { conditions: [failure] } };
      await createResourceClient(resource, connected).subresource('status').update(failed, { signal });
    },
  });
  const told: string[] = [];
  const running = runControllers([{ controller: signer, client: connection }], {
    client: connection,
    onProblem: (_name, problem) => void told.push(problem),
  });
  onTestFinished(() => running.stop());
  await ask('own', { signerName: 'example.com/own', subject: 'CN=x', usages: ['client auth'] });
  await expect.poll(async () => (await stateOf('own')).types, { timeout: 60_000 }).toEqual(['Failed']);
  expect(told).toEqual([]);
}, 120_000);

it('signs with the authority in files, and with another authority for a single signer', async () => {
  const write = filesIn(folder);
  const [common, agents] = [await makeAuthority('CN=common'), await makeAuthority('CN=agents')];
  const files = (name: string, { cert, key }: typeof common) => ({
    certFile: write(`${name}.crt`, cert),
    keyFile: write(`${name}.key`, key),
  });
  const authority = files('common', common);
  const at = await startServer({
    ...served,
    authentication: { clientCaFile: authority.certFile },
    signing: { authority, signers: { apiserverClientAgent: files('agents', agents) }, longestMs: 3_600_000 },
  });
  try {
    const key = await ask('anna', { ...forClients, subject: 'CN=anna', at });
    const otherKey = await ask('agent', { ...forAgents, subject: 'O=system:nodes, CN=system:node:n1', at });
    await approve('anna', at);
    expect(await whoIs(await issued('anna', at), key, at)).toMatchObject({ username: 'anna' });
    // The administrator may obtain the credentials of nodes; the server does not know their authority.
    expect(await whoIs(await issued('agent', at), otherKey, at)).toMatch(/Unauthorized/);
  } finally {
    await at.stop();
  }
  const wrong = startServer({
    http: false,
    tls: {},
    signing: { authority: { ...authority, keyFile: authority.certFile } },
  });
  await expect(wrong).rejects.toThrow(/^signing.authority .*common.crt: the second file holds no private key/);
}, 120_000);
