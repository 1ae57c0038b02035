/** Pod security on a server: pods by their namespace's labels, configured defaults, and fields that a gate brings. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { send } from '../../support/ask.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { type ListeningServer, startServing } from '../../support/serving.js';

const folder = scratchFolder();
const file = join(folder, 'admission.yaml');
writeFileSync(
  file,
  `apiVersion: apiserver.config.platform.io/v1
kind: AdmissionConfiguration
plugins:
- name: PodSecurity
  configuration:
    apiVersion: pod-security.admission.config.platform.io/v1beta1
    kind: PodSecurityConfiguration
    defaults: { enforce: baseline }
    exemptions: { namespaces: [free] }
`,
);

interface Answer {
  readonly code: number;
  readonly body: JsonObject;
  readonly warning: string | null;
}

async function ask(server: ListeningServer, method: string, path: string, body: JsonValue): Promise<Answer> {
  const answer = await send(server, method, path, { body });
  const sent: unknown = JSON.parse(await answer.text());
  return { code: answer.status, body: isObject(sent) ? sent : {}, warning: answer.headers.get('warning') };
}

const pod = (name: string, securityContext: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i', securityContext }], ...spec },
});

async function makeNamespace(server: ListeningServer, name: string, labels: JsonObject = {}): Promise<void> {
  expect(await ask(server, 'POST', '/api/v1/namespaces', { metadata: { name, labels } })).toMatchObject({ code: 201 });
  const account = { metadata: { name: 'default' } };
  await ask(server, 'POST', `/api/v1/namespaces/${name}/serviceaccounts`, account);
}

let usual: ListeningServer;
let configured: ListeningServer;
beforeAll(async () => {
  usual = await startServing({ authorizationMode: 'AlwaysAllow', controllers: 'none' });
  configured = await startServing({
    authorizationMode: 'AlwaysAllow',
    controllers: 'none',
    admissionControlConfigFile: file,
    featureGates: 'ProcMountType=true',
  });
});
afterAll(() => Promise.all([usual.stop(), configured.stop()]));

describe('without a configuration', () => {
  it('pods must follow the labels of their namespace, in the served naming', async () => {
    await makeNamespace(usual, 'kept', { 'pod-security.platform.io/enforce': 'baseline' });
    await makeNamespace(usual, 'open', { 'pod-security.kubernetes.io/enforce': 'baseline' });
    const refused = await ask(usual, 'POST', '/api/v1/namespaces/kept/pods', pod('a', {}, { hostPID: true }));
    expect(refused).toMatchObject({ code: 403, body: { message: expect.stringContaining('hostPID=true') } });
    expect(await ask(usual, 'POST', '/api/v1/namespaces/open/pods', pod('a', {}, { hostPID: true }))).toMatchObject({
      code: 201,
    });
  });

  it('a change of a namespace warns about pods that would be refused, in a dry run too', async () => {
    const labels = { 'pod-security.platform.io/enforce': 'baseline' };
    const path = '/api/v1/namespaces/open?dryRun=All';
    expect(await ask(usual, 'PATCH', path, { metadata: { labels } })).toMatchObject({
      code: 200,
      warning: expect.stringMatching(/existing pods in namespace \\"open\\" violate .*"a: host namespaces"/),
    });
  });

  it('pods do not have the field procMount', async () => {
    const made = await ask(usual, 'POST', '/api/v1/namespaces/kept/pods', pod('proc', { procMount: 'Unmasked' }));
    expect(made.code).toBe(201);
    expect(JSON.stringify(made.body.spec)).not.toContain('procMount');
  });
});

describe('with a configuration', () => {
  it('pods must follow it if their namespace has no labels', async () => {
    await makeNamespace(configured, 'silent');
    await makeNamespace(configured, 'free');
    const procMount = { procMount: 'Unmasked' };
    expect(await ask(configured, 'POST', '/api/v1/namespaces/silent/pods', pod('a', procMount))).toMatchObject({
      code: 403,
      body: { message: expect.stringContaining('procMount (container "c"') },
    });
    const free = await ask(configured, 'POST', '/api/v1/namespaces/free/pods', pod('a', procMount));
    expect(free.code).toBe(201);
    expect(JSON.stringify(free.body.spec)).toContain('procMount');
  });
});
