/** The real kubectl against a server with kubernetes names, one test for each usual command. */
import { describe, expect, it } from 'vitest';
import { expectGone, hasKubectl, kubectlForTests, printed, type Ran } from '../support/kubectl.js';

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

/** The longest wait for an effect on a busy machine. */
const patience = { timeout: 20_000 };

describe.skipIf(!hasKubectl)('kubectl (skipped if it is not installed)', () => {
  const kubectl = kubectlForTests();

  it('lists the resources of the API', async () => {
    const out = printed(await kubectl.run('api-resources'));
    expect(out).toMatch(/^csidrivers\s+storage\.k8s\.io\/v1\s+false\s+CSIDriver$/m);
    expect(out).toMatch(/^configmaps\s+cm\s+v1\s+true\s+ConfigMap$/m);
  });

  it('explains every field', async () => {
    const out = printed(await kubectl.run('explain', 'csidriver.spec', '--recursive'));
    expect(out).toMatch(/fsGroupPolicy\s+<string>/);
    expect(out).toMatch(/tokenRequests\s+<\[\]\w+>\n\s+audience\s+<string>/);
    expect(printed(await kubectl.run('explain', 'csidriver.spec.tokenRequests'))).toMatch(
      /audience\s+<string> -required-/,
    );
    expect((await kubectl.run('explain', 'csidriver.spec.colour')).err).toContain('colour');
  });

  it('creates, and refuses invalid objects with the reason', async () => {
    expect(printed(await kubectl.pipe(driver('created.example.com'), 'create', '-f', '-'))).toContain('created');
    const again = await kubectl.pipe(driver('created.example.com'), 'create', '-f', '-');
    expect(again.code).toBe(1);
    expect(again.err).toContain('AlreadyExists');
    const bad = await kubectl.pipe(driver('bad.example.com', 'fsGroupPolicy: Sometimes'), 'create', '-f', '-');
    expect(bad.err).toContain('supported values: "File", "None", "ReadWriteOnceWithFSType"');
    const unknown = await kubectl.pipe(driver('bad.example.com', 'colour: red'), 'create', '-f', '-');
    // Older clients read the OpenAPI document, and newer ones leave the check to the server.
    expect(unknown.err).toMatch(/unknown field "(spec\.)?colour"/);
  });

  it('applies, then applies a change', async () => {
    const map = (data: string): string => `apiVersion: v1
kind: ConfigMap
metadata: {name: applied, namespace: default}
data: {${data}}
`;
    expect(printed(await kubectl.pipe(map('a: "1", b: "2"'), 'apply', '-f', '-'))).toContain(
      'configmap/applied created',
    );
    expect(printed(await kubectl.pipe(map('a: "1", c: "3"'), 'apply', '-f', '-'))).toContain(
      'configmap/applied configured',
    );
    expect(printed(await kubectl.pipe(map('a: "1", c: "3"'), 'apply', '-f', '-'))).toContain(
      'configmap/applied unchanged',
    );
    expect(printed(await kubectl.run('get', 'cm', 'applied', '-o', 'jsonpath={.data}'))).toBe('{"a":"1","c":"3"}');
  });

  it('prints wide, yaml, json and jsonpath', async () => {
    printed(await kubectl.pipe(driver('printed.example.com', 'podInfoOnMount: true'), 'create', '-f', '-'));
    const wide = printed(await kubectl.run('get', 'csidriver', 'printed.example.com', '-o', 'wide'));
    expect(wide).toMatch(/^NAME\s+ATTACHREQUIRED\s+PODINFOONMOUNT/);
    expect(wide).toMatch(/^printed\.example\.com\s+true\s+true\s+false\s+<unset>\s+false\s+Persistent\s+\d+s/m);
    expect(printed(await kubectl.run('get', 'csidriver', 'printed.example.com', '-o', 'yaml'))).toMatch(
      /^kind: CSIDriver$/m,
    );
    const json: unknown = JSON.parse(
      printed(await kubectl.run('get', 'csidriver', 'printed.example.com', '-o', 'json')),
    );
    expect(json).toMatchObject({ kind: 'CSIDriver', spec: { podInfoOnMount: true } });
    const path = 'jsonpath={.items[?(@.metadata.name=="printed.example.com")].spec.fsGroupPolicy}';
    expect(printed(await kubectl.run('get', 'csidrivers', '-o', path))).toBe('ReadWriteOnceWithFSType');
  });

  it('replaces an object as an editor would', async () => {
    printed(await kubectl.create({ metadata: { name: 'edited' }, data: { a: '1' } }));
    const yaml = printed(await kubectl.run('get', 'configmap', 'edited', '-o', 'yaml'));
    const file = kubectl.file('edited.yaml', yaml.replace('a: "1"', 'a: "2"'));
    expect(printed(await kubectl.run('replace', '-f', file))).toContain('replaced');
    expect(printed(await kubectl.run('get', 'configmap', 'edited', '-o', 'jsonpath={.data.a}'))).toBe('2');
    expect((await kubectl.run('replace', '-f', file)).err).toContain('the object has been modified');
  });

  it('edits an object with an editor', async () => {
    printed(await kubectl.create({ metadata: { name: 'opened' }, data: { a: '1' } }));
    const editor = kubectl.file('editor.sh', 'sed -i \'s/a: "1"/a: "2"/\' "$1"\n');
    const edit = (): Promise<Ran> => kubectl.runWith({ KUBE_EDITOR: `sh ${editor}` }, 'edit', 'configmap', 'opened');
    expect(printed(await edit())).toContain('configmap/opened edited');
    expect(printed(await kubectl.run('get', 'configmap', 'opened', '-o', 'jsonpath={.data.a}'))).toBe('2');
    expect((await edit()).out + (await edit()).err).toContain('no changes made');
  });

  it('labels and annotates', async () => {
    printed(await kubectl.create({ metadata: { name: 'marked' } }));
    expect(printed(await kubectl.run('label', 'configmap', 'marked', 'tier=web'))).toContain('labeled');
    expect(printed(await kubectl.run('annotate', 'configmap', 'marked', 'note=yes'))).toContain(
      'configmap/marked annotate',
    );
    expect(printed(await kubectl.run('get', 'cm', '-l', 'tier=web', '-o', 'name')).trim()).toBe('configmap/marked');
    printed(await kubectl.run('label', 'configmap', 'marked', 'tier-'));
    expect(printed(await kubectl.run('get', 'cm', '-l', 'tier=web', '-o', 'name'))).toBe('');
  });

  it('watches changes', async () => {
    printed(await kubectl.create({ metadata: { name: 'watched' } }));
    const selector = ['--field-selector', 'metadata.name=watched'];
    const watching = kubectl.start(
      'get',
      'configmaps',
      '--watch',
      '-o',
      'jsonpath={.metadata.labels.phase};',
      ...selector,
    );
    let seen = '';
    watching.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
    });
    await expect.poll(() => seen, patience).toBe(';');
    printed(await kubectl.run('label', 'configmap', 'watched', 'phase=begun'));
    printed(await kubectl.run('label', 'configmap', 'watched', 'phase=done', '--overwrite'));
    await expect.poll(() => seen, patience).toBe(';begun;done;');
    watching.kill();
  });

  it('watches rows of a table', async () => {
    const watching = kubectl.start('get', 'csidrivers', '--watch-only');
    let seen = '';
    watching.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
    });
    // The watch may begin after the first objects. The rows of later objects must arrive.
    let made = 0;
    const row = async (): Promise<string> => {
      printed(await kubectl.pipe(driver(`row${made++}.example.com`), 'create', '-f', '-'));
      return seen;
    };
    await expect.poll(row, patience).toMatch(/^NAME\s+ATTACHREQUIRED.*\nrow\d\.example\.com\s+true\s+false/m);
    watching.kill();
  });

  it('waits for a condition, and for a deletion', async () => {
    printed(await kubectl.pipe(request('awaited'), 'create', '-f', '-'));
    const approved = kubectl.run('wait', '--for=condition=Approved', 'csr/awaited', '--timeout=20s');
    printed(await kubectl.run('certificate', 'approve', 'awaited'));
    expect(printed(await approved)).toContain('condition met');
    const late = await kubectl.run('wait', '--for=condition=Denied', 'csr/awaited', '--timeout=1s');
    expect(late.err).toContain('timed out');
    const deleted = kubectl.run('wait', '--for=delete', 'csr/awaited', '--timeout=20s');
    printed(await kubectl.run('delete', 'csr', 'awaited'));
    expectGone(await deleted);
    expect((await kubectl.run('get', 'csr', 'awaited')).err).toContain('NotFound');
  });

  it('deletes', async () => {
    printed(await kubectl.pipe(driver('doomed.example.com'), 'create', '-f', '-'));
    expect(printed(await kubectl.run('delete', 'csidriver', 'doomed.example.com'))).toContain('deleted');
    expect((await kubectl.run('get', 'csidriver', 'doomed.example.com')).err).toContain('NotFound');
  });
});
