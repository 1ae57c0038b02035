/** Connections in admission: the options that webhooks and policies see, and that webhooks may change. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { objectAt } from '../../../runtime/objects/guards.js';
import { patching } from '../../support/admission-webhook.js';
import { type HookBench, rule, startHookBench } from '../../support/hook-bench.js';

let bench: HookBench;
beforeAll(async () => {
  bench = await startHookBench({
    proxyLoopback: true,
    featureGates: 'ValidatingAdmissionPolicy=true',
    disableAdmissionPlugins: ['ServiceAccount'],
    runtimeConfig: 'admissionregistration.k8s.io/v1alpha1=true',
  });
  const spec = { containers: [{ name: 'main', image: 'i' }] };
  await bench.ask('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec });
});
afterAll(() => bench.stop());
beforeEach(() => bench.clear());

const seen = () => objectAt(bench.webhook.reviews[0]?.review ?? {}, 'request');

it.each([
  [
    'pods/p/exec?command=sh&command=-c&container=main&stdin=true&tty=false',
    { kind: 'PodExecOptions', apiVersion: 'v1', command: ['sh', '-c'], container: 'main', stdin: true },
  ],
  ['pods/p/exec?command=ls', { kind: 'PodExecOptions', apiVersion: 'v1', command: ['ls'] }],
  ['pods/p/attach?stdout=1', { kind: 'PodAttachOptions', apiVersion: 'v1', stdout: true }],
  ['pods/p/portforward?ports=80,443&ports=7', { kind: 'PodPortForwardOptions', apiVersion: 'v1', ports: [80, 443, 7] }],
  ['pods/p/proxy/a/b/?c=d', { kind: 'PodProxyOptions', apiVersion: 'v1', path: '/a/b/' }],
  ['services/s/proxy', { kind: 'ServiceProxyOptions', apiVersion: 'v1' }],
])('the options of %s', async (path, object) => {
  await bench.configure('validating', 'all', bench.hook('all', { rules: [rule('*/*', 'CONNECT')] }));
  await bench.ask('POST', `/api/v1/namespaces/default/${path}`);
  const [resource = '', name = '', rest = ''] = path.split('/');
  const subResource = rest.replace(/\?.*$/, '');
  expect(seen()).toMatchObject({
    operation: 'CONNECT',
    kind: { group: '', version: 'v1', kind: object.kind },
    resource: { group: '', version: 'v1', resource },
    subResource,
    name,
    namespace: 'default',
    oldObject: null,
    options: null,
  });
  expect(seen()?.object).toEqual(object);
});

it('the options of a connection to a node', async () => {
  await bench.configure('validating', 'all', bench.hook('all', { rules: [rule('nodes/proxy')] }));
  await bench.ask('GET', '/api/v1/nodes/n/proxy/logs/x');
  expect(seen()?.object).toEqual({ kind: 'NodeProxyOptions', apiVersion: 'v1', path: '/logs/x' });
});

it('a webhook may change them, and the server connects with its options', async () => {
  const rules = [rule('pods/exec', 'CONNECT')];
  bench.webhook.behaviours.set('/other', () => patching({ op: 'replace', path: '/container', value: 'other' }));
  await bench.configure('mutating', 'other', bench.hook('other', { rules }));
  await bench.configure('validating', 'after', bench.hook('after', { rules }));
  const { body } = await bench.ask('POST', '/api/v1/namespaces/default/pods/p/exec?command=ls&container=main');
  expect(body.message).toBe('container other is not valid for pod p');
  expect(bench.webhook.reviews.at(-1)?.review).toMatchObject({ request: { object: { container: 'other' } } });
});

it('a webhook sees the decoded path of a proxy request, and may choose another path', async () => {
  await bench.ask('PATCH', '/api/v1/namespaces/default/pods/p/status', { status: { podIP: '127.0.0.1' } });
  bench.webhook.behaviours.set('/other', () => patching({ op: 'replace', path: '/path', value: 'version' }));
  await bench.configure('mutating', 'other', bench.hook('other', { rules: [rule('pods/proxy', 'CONNECT')] }));
  const { port } = new URL(bench.running.url);
  const { body } = await bench.ask('GET', `/api/v1/namespaces/default/pods/p:${port}/proxy/%61pi?a`);
  expect(seen()?.object).toMatchObject({ path: '/api' });
  expect(body).toMatchObject({ major: '1' });
});

it('options do not have labels to select by', async () => {
  const objectSelector = { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] };
  await bench.configure('validating', 'chosen', bench.hook('chosen', { rules: [rule('*/*')], objectSelector }));
  await bench.ask('POST', '/api/v1/namespaces/default/pods/p/exec?command=ls');
  expect(bench.webhook.reviews).toEqual([]);
});

it('a policy may be about them', async () => {
  const group = '/apis/admissionregistration.k8s.io/v1alpha1';
  const spec = {
    matchConstraints: { resourceRules: [rule('pods/exec', 'CONNECT')] },
    validations: [{ expression: 'object.command != ["sh"] && !has(object.metadata)', message: 'no shells' }],
  };
  await bench.ask('POST', `${group}/validatingadmissionpolicies`, { metadata: { name: 'no-shells' }, spec });
  const binding = { policyName: 'no-shells', validationActions: ['Deny'] };
  const written = await bench.ask('POST', `${group}/validatingadmissionpolicybindings`, {
    metadata: { name: 'no-shells' },
    spec: binding,
  });
  expect(written.code).toBe(201);
  const exec = (command: string) => bench.ask('POST', `/api/v1/namespaces/default/pods/p/exec?command=${command}`);
  expect((await exec('sh')).body.message).toMatch(/denied request: no shells$/);
  expect((await exec('ls')).body.message).toMatch(/does not have a host assigned$/);
});
