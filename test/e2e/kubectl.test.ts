/** The real kubectl against a server with kubernetes names, one test per thing a person does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Running } from '../../bin/serve/run-serve.js';
import { hasKubectl, type Kubectl, kubectlFor, type Ran } from '../support/kubectl.js';
import { startServing } from '../support/serving.js';

const driver = (name: string, spec = ''): string => `apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata:
  name: ${name}
spec: {${spec}}
`;

const request = (name: string): string => `apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata:
  name: ${name}
spec:
  request: ${certificateRequest}
  signerName: example.com/signer
  usages: ["client auth"]
`;

/** A PKCS#10 request for CN=e2e with a P-256 key, made for this test. */
const certificateRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISU1IQUNBUUF3RGpFTU1Bb0dBMVVFQXd3RFpUSmxNRmt3RXdZ' +
  'SEtvWkl6ajBDQVFZSUtvWkl6ajBEQVFjRApRZ0FFWjFZWGttUmx1K09OT0M2cTc2NHIybDNvOTVaL0YzMGc2VTF2YkNXdzJVOVow' +
  'WDMwYjY2ZVdta2E5RDl0CjRpQ0pTbktKZXh4WUZ4ZUNHZm1IWkhYUDdxQUFNQW9HQ0NxR1NNNDlCQU1DQTBnQU1FVUNJUUQ4VU54' +
  'M0NzWXoKajhVZCtWT3d4anpVUzQ0MDdqUW5oZFhkMHk4N0QxZzhjQUlnYXozM3NFNGkwQTNKbVVYL3FPSis4RVd6YTZ3cQptdHZU' +
  'V1FUdzVvOTVaeVU9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

describe.skipIf(!hasKubectl)('kubectl (skipped where it is not installed)', () => {
  let running: Running;
  let kubectl: Kubectl;
  beforeAll(async () => {
    running = await startServing({ naming: 'kubernetes' });
    kubectl = kubectlFor(running.listening.url);
  });
  afterAll(async () => {
    kubectl.close();
    await running.stop();
  });

  const ok = (ran: Ran): string => {
    expect(ran.err.replace(/^Warning:.*\n/gm, ''), ran.out).toBe('');
    expect(ran.code).toBe(0);
    return ran.out;
  };

  it('lists the resources of the API', async () => {
    const out = ok(await kubectl.run('api-resources'));
    expect(out).toMatch(/^csidrivers\s+storage\.k8s\.io\/v1\s+false\s+CSIDriver$/m);
    expect(out).toMatch(/^configmaps\s+cm\s+v1\s+true\s+ConfigMap$/m);
  });

  it('explains every field', async () => {
    const out = ok(await kubectl.run('explain', 'csidriver.spec', '--recursive'));
    expect(out).toMatch(/fsGroupPolicy\s+<string>/);
    expect(out).toMatch(/tokenRequests\s+<\[\]TokenRequest>\n\s+audience\s+<string> -required-/);
  });

  it('creates, and refuses what is invalid with the reason', async () => {
    expect(ok(await kubectl.pipe(driver('created.example.com'), 'create', '-f', '-'))).toContain('created');
    const again = await kubectl.pipe(driver('created.example.com'), 'create', '-f', '-');
    expect(again.code).toBe(1);
    expect(again.err).toContain('AlreadyExists');
    const bad = await kubectl.pipe(driver('bad.example.com', 'fsGroupPolicy: Sometimes'), 'create', '-f', '-');
    expect(bad.err).toContain('supported values: "File", "None", "ReadWriteOnceWithFSType"');
    const unknown = await kubectl.pipe(driver('bad.example.com', 'colour: red'), 'create', '-f', '-');
    expect(unknown.err).toContain('unknown field "spec.colour"');
  });

  it('applies, then applies a change', async () => {
    const map = (data: string): string => `apiVersion: v1
kind: ConfigMap
metadata: {name: applied, namespace: default}
data: {${data}}
`;
    expect(ok(await kubectl.pipe(map('a: "1", b: "2"'), 'apply', '-f', '-'))).toContain('configmap/applied created');
    expect(ok(await kubectl.pipe(map('a: "1", c: "3"'), 'apply', '-f', '-'))).toContain('configmap/applied configured');
    expect(ok(await kubectl.pipe(map('a: "1", c: "3"'), 'apply', '-f', '-'))).toContain('configmap/applied unchanged');
    expect(ok(await kubectl.run('get', 'cm', 'applied', '-o', 'jsonpath={.data}'))).toBe('{"a":"1","c":"3"}');
  });

  it('prints wide, yaml, json and jsonpath', async () => {
    ok(await kubectl.pipe(driver('printed.example.com', 'podInfoOnMount: true'), 'create', '-f', '-'));
    const wide = ok(await kubectl.run('get', 'csidriver', 'printed.example.com', '-o', 'wide'));
    expect(wide).toMatch(/^NAME\s+ATTACHREQUIRED\s+PODINFOONMOUNT/);
    expect(wide).toMatch(/^printed\.example\.com\s+true\s+true\s+false\s+<unset>\s+false\s+Persistent\s+\d+s/m);
    expect(ok(await kubectl.run('get', 'csidriver', 'printed.example.com', '-o', 'yaml'))).toMatch(
      /^kind: CSIDriver$/m,
    );
    const json: unknown = JSON.parse(ok(await kubectl.run('get', 'csidriver', 'printed.example.com', '-o', 'json')));
    expect(json).toMatchObject({ kind: 'CSIDriver', spec: { podInfoOnMount: true } });
    const path = 'jsonpath={.items[?(@.metadata.name=="printed.example.com")].spec.fsGroupPolicy}';
    expect(ok(await kubectl.run('get', 'csidrivers', '-o', path))).toBe('ReadWriteOnceWithFSType');
  });

  it('replaces an object as an editor would', async () => {
    ok(await kubectl.run('create', 'configmap', 'edited', '--from-literal=a=1'));
    const yaml = ok(await kubectl.run('get', 'configmap', 'edited', '-o', 'yaml'));
    const file = kubectl.file('edited.yaml', yaml.replace('a: "1"', 'a: "2"'));
    expect(ok(await kubectl.run('replace', '-f', file))).toContain('replaced');
    expect(ok(await kubectl.run('get', 'configmap', 'edited', '-o', 'jsonpath={.data.a}'))).toBe('2');
    const stale = await kubectl.run('replace', '-f', file);
    expect(stale.err).toContain('the object has been modified');
  });

  it('labels and annotates', async () => {
    ok(await kubectl.run('create', 'configmap', 'marked'));
    expect(ok(await kubectl.run('label', 'configmap', 'marked', 'tier=web'))).toContain('labeled');
    expect(ok(await kubectl.run('annotate', 'configmap', 'marked', 'note=yes'))).toContain('configmap/marked annotate');
    expect(ok(await kubectl.run('get', 'cm', '-l', 'tier=web', '-o', 'name')).trim()).toBe('configmap/marked');
    ok(await kubectl.run('label', 'configmap', 'marked', 'tier-'));
    expect(ok(await kubectl.run('get', 'cm', '-l', 'tier=web', '-o', 'name'))).toBe('');
  });

  it('watches changes and waits for them', async () => {
    const watching = kubectl.start(
      'get',
      'configmaps',
      '-w',
      '-o',
      'name',
      '--field-selector',
      'metadata.name=watched',
    );
    let seen = '';
    watching.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
    });
    ok(await kubectl.run('create', 'configmap', 'watched'));
    ok(await kubectl.run('label', 'configmap', 'watched', 'phase=done'));
    await expect.poll(() => seen.split('\n').filter((line) => line === 'configmap/watched').length).toBe(2);
    watching.kill();
    const path = '--for=jsonpath={.metadata.labels.phase}=done';
    expect(ok(await kubectl.run('wait', path, 'configmap/watched', '--timeout=20s'))).toContain('condition met');
    const deleted = kubectl.run('wait', '--for=delete', 'configmap/watched', '--timeout=20s');
    ok(await kubectl.run('delete', 'configmap', 'watched'));
    expect(ok(await deleted)).toBeDefined();
  });

  it('approves and denies certificate requests', async () => {
    ok(await kubectl.pipe(request('wanted'), 'create', '-f', '-'));
    ok(await kubectl.pipe(request('unwanted'), 'create', '-f', '-'));
    expect(ok(await kubectl.run('certificate', 'approve', 'wanted'))).toContain('approved');
    expect(ok(await kubectl.run('certificate', 'deny', 'unwanted'))).toContain('denied');
    const out = ok(await kubectl.run('get', 'csr'));
    expect(out).toMatch(/^wanted\s.*\sApproved$/m);
    expect(out).toMatch(/^unwanted\s.*\sDenied$/m);
  });

  it('deletes', async () => {
    ok(await kubectl.pipe(driver('doomed.example.com'), 'create', '-f', '-'));
    expect(ok(await kubectl.run('delete', 'csidriver', 'doomed.example.com'))).toContain('deleted');
    const gone = await kubectl.run('get', 'csidriver', 'doomed.example.com');
    expect(gone.err).toContain('NotFound');
  });
});
