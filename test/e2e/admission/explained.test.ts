/**
 * `kindforge webhooks test` against a server: which plugins, webhooks and policies take part in a request, what they
 * see and what they answer.
 */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestedRequests, testAdmission } from '../../../server/test-admission.js';
import { patching } from '../../support/admission-webhook.js';
import { send } from '../../support/ask.js';
import { configMaps, rule, startHookBench } from '../../support/hook-bench.js';

const bench = await startHookBench({
  featureGates: 'ValidatingAdmissionPolicy=true,AdmissionWebhookMatchConditions=true',
  runtimeConfig: 'admissionregistration.k8s.io/v1alpha1=true',
  disableAdmissionPlugins: ['ServiceAccount'],
});
afterAll(() => bench.stop());
beforeEach(() => bench.clear());

const configMap =
  '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, labels: { team: shop } }, data: { a: "1" } }';

async function test(more: Partial<TestedRequests> = {}, text = configMap) {
  const asked = { file: 'a.yaml', operation: 'create', groups: [], showsReviews: false } as const;
  const tested = await testAdmission(
    { server: bench.running.url },
    { ...asked, bytes: new TextEncoder().encode(text), ...more },
  );
  return { ...tested, lines: tested.lines.map((line) => line.replace(/, [\d.]+ ms/, '')) };
}

describe('a request', () => {
  it('shows which webhooks change it, refuse it, or are not called', async () => {
    bench.webhook.behaviours.set('/label', () => ({
      ...patching({ op: 'add', path: '/metadata/labels/seen', value: 'yes' }),
      warnings: ['labelled'],
    }));
    bench.webhook.behaviours.set('/no', () => ({ allowed: false, status: { message: 'not today' } }));
    const elsewhere = { matchLabels: { team: 'other' } };
    await bench.configure('mutating', 'm', bench.hook('label'), bench.hook('pods', { rules: [rule('pods')] }));
    await bench.configure(
      'validating',
      'v',
      bench.hook('no'),
      bench.hook('selects', { objectSelector: elsewhere }),
      bench.hook('spaces', { namespaceSelector: elsewhere }),
      bench.hook('when', { matchConditions: [{ name: 'c', expression: 'false' }] }),
    );
    const { lines, allowed, explanations } = await test();
    expect(lines.filter((line) => !line.includes('plugin'))).toEqual([
      'create configmaps a in namespace default',
      '  mutating webhook pods.hooks.example.com (m): not asked: its rules do not match the request',
      '  mutating webhook label.hooks.example.com (m): changed',
      '    sees CREATE configmaps v1',
      '    add /metadata/labels/seen "yes"',
      '    warns: labelled',
      '  validating webhook selects.hooks.example.com (v): not asked: its objectSelector does not select the object',
      '  validating webhook spaces.hooks.example.com (v): not asked: its namespaceSelector does not select the namespace',
      '  validating webhook when.hooks.example.com (v): not asked: its match conditions are false',
      '  validating webhook no.hooks.example.com (v): denied: admission webhook "no.hooks.example.com" denied the request: not today',
      '    sees CREATE configmaps v1',
      'refused: 400 admission webhook "no.hooks.example.com" denied the request: not today',
    ]);
    expect(allowed).toBe(false);
    expect(explanations[0]?.steps.find(({ outcome }) => outcome === 'denied')?.request).toMatchObject({
      operation: 'CREATE',
      object: { metadata: { labels: { seen: 'yes' } } },
      dryRun: true,
    });
    expect((await bench.ask('GET', `${configMaps}/a`)).code).toBe(404);
  });

  it('shows failing webhooks, and webhooks that do not support dry runs', async () => {
    bench.webhook.behaviours.set('/away', (_, response) => void response.destroy());
    const away = bench.hook('away', { failurePolicy: 'Ignore' });
    await bench.configure(
      'validating',
      'v',
      away,
      bench.hook('gone', { clientConfig: { url: 'https://127.0.0.1:1/' } }),
    );
    const { lines } = await test();
    expect(lines).toContainEqual(
      expect.stringMatching(/webhook away.* \(v\): passed over: failed to call webhook: Post/),
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/webhook gone.* \(v\): unanswered: failed .* connection refused$/),
    );
  });

  it('shows the changes by plugins of the server', async () => {
    const pod = '{ apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: i }] } }';
    const { lines, allowed } = await test({}, pod);
    expect(allowed).toBe(true);
    expect(lines).toContain('  mutating plugin Priority: changed');
    expect(lines).toContain('    add /spec/priority 0');
    expect(lines.at(-1)).toBe('let in: 201');
  });

  it('shows policies with their bindings', async () => {
    const group = '/apis/admissionregistration.k8s.io/v1alpha1';
    const resourceRules = [rule('configmaps', 'CREATE', 'UPDATE')];
    const validations = [{ expression: 'object.data.a != "1"', message: 'one is taken' }];
    const policy = { matchConstraints: { resourceRules }, validations };
    await bench.ask('POST', `${group}/validatingadmissionpolicies`, { metadata: { name: 'ones' }, spec: policy });
    const spec = { policyName: 'ones', validationActions: ['Deny'] };
    await bench.ask('POST', `${group}/validatingadmissionpolicybindings`, { metadata: { name: 'all' }, spec });
    const { lines } = await test();
    expect(lines).toContain('  policy ones (all): denied: one is taken');
    await bench.ask('DELETE', `${group}/validatingadmissionpolicybindings/all`);
  });

  it('may be an update, a delete or a connection, by another user', async () => {
    await bench.configure('validating', 'v', bench.hook('all', { rules: [rule('*/*')] }));
    await bench.create('a', { data: { a: '0' } });
    await bench.ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'clerks' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'guards' }],
    });
    bench.webhook.reviews.length = 0;
    const as = { as: 'anna', groups: ['clerks', 'guards'] };
    expect((await test({ operation: 'update', ...as })).lines.at(-1)).toBe('let in: 200');
    expect((await test({ operation: 'delete' })).lines.at(-1)).toBe('let in: 200');
    const pod = '{ apiVersion: v1, kind: Pod, metadata: { name: p } }';
    expect((await test({ operation: 'connect', subresource: 'exec' }, pod)).lines.slice(-2)).toEqual([
      '    sees CONNECT pods/exec v1',
      'let in: 200',
    ]);
    expect(bench.webhook.reviews.map(({ review }) => review.request)).toMatchObject([
      {
        operation: 'UPDATE',
        oldObject: { data: { a: '0' } },
        userInfo: { username: 'anna', groups: ['clerks', 'guards', 'system:authenticated'] },
      },
      { operation: 'DELETE', dryRun: true },
      { operation: 'CONNECT', object: { kind: 'PodExecOptions' } },
    ]);
    expect((await bench.ask('GET', `${configMaps}/a`)).body.data).toEqual({ a: '0' });
  });
});

describe('a request that cannot be tried', () => {
  it.each([
    ['', 'a.yaml has no objects'],
    ['{ apiVersion: v1, kind: Nothing }', 'the server has no kind "Nothing" in v1'],
    ['{ a: b: c }', 'a.yaml:1:'],
  ])('%j', (text, problem) => expect(test({}, text)).rejects.toThrow(problem));

  it('is a request without dryRun', async () => {
    const answer = await send(bench.running, 'POST', configMaps, {
      headers: { 'kindforge-explain-admission': 'true' },
      body: { metadata: { name: 'stored' } },
    });
    expect(answer.status).toBe(400);
    expect((await bench.ask('GET', `${configMaps}/stored`)).code).toBe(404);
  });
});
