/** kubectl from 1.32 on. It sends protobuf when it creates or changes an object of a built-in kind. */
import { describe, expect, it } from 'vitest';
import { makeRequest } from '../support/certificates.js';
import { type Kubectl, kubectlForTests, newestKubectl, printed, type Ran } from '../support/kubectl.js';

const { program, minor } = newestKubectl();

/** Checks that the answer to a command was in protobuf, and returns the command's output. */
async function inProtobuf(kubectl: Kubectl, ...args: string[]): Promise<string> {
  const ran = await kubectl.run(...args, '-v=8');
  expect(ran.code, ran.err).toBe(0);
  const types = [...ran.err.matchAll(/Content-Type: (.*)$/gm)].map(([, type]) => type);
  expect(types.at(-1), ran.err).toBe('application/vnd.kubernetes.protobuf');
  return ran.out;
}

describe.skipIf(minor < 32)('kubectl in protobuf (skipped without 1.32 or newer)', () => {
  const kubectl = kubectlForTests({}, program);

  it('creates objects by command, and reads the answer', async () => {
    const map = await inProtobuf(kubectl, 'create', 'configmap', 'made', '--from-literal=a=1', '-o', 'json');
    expect(JSON.parse(map)).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'made' }, data: { a: '1' } });
    const secret = await inProtobuf(kubectl, 'create', 'secret', 'generic', 'made', '--from-literal=a=1', '-o', 'json');
    expect(JSON.parse(secret)).toMatchObject({ type: 'Opaque', data: { a: 'MQ==' } });
    for (const kind of ['namespace', 'serviceaccount']) {
      expect(await inProtobuf(kubectl, 'create', kind, 'made')).toContain('/made created');
    }
  });

  it('reads lists and watches', async () => {
    const happened = (name: string): Promise<Ran> =>
      kubectl.create({
        kind: 'Event',
        metadata: { name, namespace: 'default' },
        involvedObject: { kind: 'ConfigMap', name: 'made', namespace: 'default', apiVersion: 'v1' },
        type: 'Normal',
        reason: 'Tested',
        message: `told of ${name}`,
        lastTimestamp: new Date().toISOString(),
        count: 3,
      });
    printed(await happened('before'));
    expect(await inProtobuf(kubectl, 'events')).toMatch(/\(x3 .*Normal +Tested +ConfigMap\/made +told of before/);
    const watching = kubectl.start('events', '--watch');
    let seen = '';
    watching.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
    });
    await expect.poll(() => seen, { timeout: 20_000 }).toContain('told of before');
    printed(await happened('after'));
    await expect.poll(() => seen, { timeout: 20_000 }).toContain('told of after');
    watching.kill();
  });

  it('prints why the server refuses', async () => {
    const again = await kubectl.run('create', 'namespace', 'default');
    expect(again.err).toContain('namespaces "default" already exists');
  });

  it('approves and denies certificate requests', async () => {
    const certificateRequest = Buffer.from(await makeRequest('CN=e2e')).toString('base64');
    for (const [name, verb] of [
      ['wanted', 'approve'],
      ['unwanted', 'deny'],
    ] as const) {
      const object = {
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name },
        spec: { request: certificateRequest, signerName: 'example.com/signer', usages: ['client auth'] },
      };
      printed(await kubectl.create(object));
      await inProtobuf(kubectl, 'certificate', verb, name);
    }
    const out = printed(await kubectl.run('get', 'csr'));
    expect(out).toMatch(/^wanted\s.*\sApproved$/m);
    expect(out).toMatch(/^unwanted\s.*\sDenied$/m);
  });
});
