/** ImagePolicyWebhook on a server, by its configuration file. */
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../../support/ask.js';
import { makeServerCertificate } from '../../support/certificates.js';
import { listenLocally } from '../../support/local-server.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { type ListeningServer, startServing } from '../../support/serving.js';
import { kubeconfigFor } from '../../support/write-kubeconfig.js';

const folder = scratchFolder();
const file = join(folder, 'admission.yaml');
const connection = join(folder, 'images.yaml');

let webhook: Server;
let running: ListeningServer;
const tokens: unknown[] = [];

beforeAll(async () => {
  const certificate = await makeServerCertificate();
  webhook = createServer(certificate, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    tokens.push(request.headers.authorization);
    const { apiVersion, kind, spec } = JSON.parse(Buffer.concat(chunks).toString());
    const bad = spec.containers.find((one: { image: string }) => one.image.startsWith('bad/'));
    response.end(
      JSON.stringify({ apiVersion, kind, status: { allowed: !bad, ...(bad ? { reason: bad.image } : {}) } }),
    );
  });
  const port = await listenLocally(webhook);
  const server = `https://localhost:${port}`;
  const authority = { 'certificate-authority-data': Buffer.from(certificate.cert).toString('base64') };
  writeFileSync(connection, kubeconfigFor(server, { token: 'secret' }, authority));
  writeFileSync(
    file,
    `
apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: ImagePolicyWebhook
  configuration:
    imagePolicy: { kubeConfigFile: ${connection} }
`,
  );
  running = await startServing({
    naming: 'kubernetes',
    controllers: 'none',
    enableAdmissionPlugins: ['ImagePolicyWebhook'],
    disableAdmissionPlugins: ['ServiceAccount'],
    admissionControlConfigFile: file,
  });
});
afterAll(async () => {
  await running.stop();
  webhook.close();
});

it('the webhook that the file names decides about pods', async () => {
  const create = async (name: string, image: string) => {
    const pod = { metadata: { name }, spec: { containers: [{ name: 'c', image }] } };
    const { code, body } = await ask(running, 'POST', '/api/v1/namespaces/default/pods', pod);
    return { code, message: body.message };
  };
  expect(await create('good', 'good/a')).toMatchObject({ code: 201 });
  expect(await create('bad', 'bad/b')).toEqual({
    code: 403,
    message: 'pods "bad" is forbidden: image policy webhook backend denied one or more images: bad/b',
  });
  expect(tokens).toEqual(['Bearer secret', 'Bearer secret']);
});

it('a server without the file does not start', () =>
  expect(startServing({ enableAdmissionPlugins: ['ImagePolicyWebhook'] })).rejects.toThrow(
    'the admission plugin ImagePolicyWebhook needs a configuration',
  ));
