/** The real kubectl and mistakes: unknown fields at each level of validation, and errors that name the mistake. */
import { describe, expect, it } from 'vitest';
import { kubectlForTests, newestKubectl, printed, type Ran } from '../support/kubectl.js';

const { program, minor } = newestKubectl();

const misspelt = (name: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  colour: red
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: example.com/main, flavour: sweet }] }
`;

const unknown = ['unknown field "spec.colour"', 'unknown field "spec.template.spec.containers[0].flavour"'] as const;

describe.skipIf(minor < 27)('kubectl and mistakes (skipped without a release from 1.27 on)', () => {
  const kubectl = kubectlForTests({}, program);

  const run = (command: string): Promise<Ran> => kubectl.run(...command.split(' '));
  const send = (text: string, command: string): Promise<Ran> => kubectl.pipe(text, ...command.split(' '), '-f', '-');
  const warnings = ({ err }: Ran): string[] =>
    [...err.matchAll(/^Warning: (unknown .*)$/gm)].map(([, text = '']) => text).sort();

  it.each(['create', 'apply', 'create --dry-run=server'])('%s is strict by default', async (verb) => {
    const refused = await send(misspelt('strict'), verb);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(`strict decoding error: ${unknown.join(', ')}`);
    expect((await run('get deployment strict')).err).toContain('not found');
  });

  it('warns of each unknown field, or prints nothing', async () => {
    const warned = await send(misspelt('warned'), 'create --validate=warn');
    expect(printed(warned)).toContain('created');
    expect(warnings(warned)).toEqual(unknown);
    const silent = await send(misspelt('ignored'), 'create --validate=ignore');
    expect([silent.code, silent.err]).toEqual([0, '']);
    expect(JSON.parse(printed(await run('get deployment ignored -o json'))).spec).not.toHaveProperty('colour');
  });

  it('replaces and applies at each level', async () => {
    const { out } = await send(misspelt('changed'), 'create --validate=ignore');
    expect(out).toContain('created');
    expect((await send(misspelt('changed'), 'replace --validate=strict')).err).toContain(unknown[0]);
    expect(warnings(await send(misspelt('changed'), 'replace --validate=warn'))).toEqual(unknown);
    const applied = await send(misspelt('changed'), 'apply --validate=warn');
    expect([applied.code, warnings(applied)]).toEqual([0, unknown]);
    const onServer = await send(misspelt('changed'), 'apply --server-side --force-conflicts --validate=strict');
    expect(onServer.err).toMatch(/\.spec\.colour: field not declared in schema/);
  });

  it('warns of unknown fields in a patch', async () => {
    printed(await send(misspelt('patched'), 'create --validate=ignore'));
    const patched = await kubectl.run('patch', 'deployment', 'patched', '--type=merge', '-p', '{"spec":{"taste":1}}');
    expect(warnings(patched)).toEqual(['unknown field "spec.taste"']);
    expect(patched.out).toContain('patched (no change)');
  });

  it.each([
    [
      'a kind that is not there',
      '{"apiVersion":"v1","kind":"Nonsense","metadata":{"name":"x"}}',
      'no matches for kind',
    ],
    [
      'a number for a text',
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a":1}}',
      'of type string',
    ],
    [
      'a name that is none',
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"A_b"}}',
      'metadata.name: Invalid value',
    ],
    ['no name', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{}}', 'resource name may not be empty'],
    [
      'several mistakes at once',
      '{"apiVersion":"v1","kind":"Service","metadata":{"name":"x"},"spec":{"type":"Odd","ports":[{"port":0}]}}',
      /^\* spec\.ports\[0\]\.port: Invalid value: 0: must be between 1 and 65535, inclusive$/m,
    ],
    [
      'an address out of range',
      '{"apiVersion":"v1","kind":"Service","metadata":{"name":"x"},"spec":{"clusterIP":"1.2.3.4","ports":[{"port":1}]}}',
      'failed to allocate IP 1.2.3.4: the provided IP (1.2.3.4) is not in the valid range',
    ],
  ])('reports the mistake of %s', async (_what, text, reason) => {
    const refused = await send(text, 'apply');
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(reason);
  });

  it.each([
    ['get nonsense', 'the server doesn\'t have a resource type "nonsense"'],
    ['get pods -l a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['get deployments --field-selector=spec.replicas=1', '"spec.replicas" is not a known field selector'],
    ['get --raw /apis/none', 'the server could not find the requested resource'],
    ['delete deployment none', 'deployments.apps "none" not found'],
    ['explain pod.spec.colour', 'field "colour" does not exist'],
    ['label namespace default a$b=c', 'metadata.labels: Invalid value: "a$b"'],
    ['wait --for=condition=Ready pod/none --timeout=1s', 'pods "none" not found'],
  ])('reports why it refuses `%s`', async (command, reason) => {
    const refused = await run(command);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(reason);
  });

  it('reads raw paths', async () => {
    expect(printed(await run('get --raw /readyz'))).toBe('ok');
    const namespace = await run('get --raw /api/v1/namespaces/default?pretty=false');
    expect(JSON.parse(printed(namespace))).toMatchObject({ kind: 'Namespace', status: { phase: 'Active' } });
    expect(printed(await run('api-versions')).split('\n')).toEqual(expect.arrayContaining(['apps/v1', 'v1']));
    expect((await run('version -o json')).out).toContain('"gitVersion": "v1.27.');
  });
});
