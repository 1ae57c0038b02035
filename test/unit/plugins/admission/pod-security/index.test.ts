import { describe, expect, it } from 'vitest';
import { definePodSecurity } from '../../../../../plugins/index.js';
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  ApiObject,
  Failure,
  JsonObject,
} from '../../../../../runtime/contract/index.js';
import { Metrics, observerOf } from '../../../../../runtime/metrics/index.js';
import { kubernetesNaming } from '../../../../../runtime/objects/names/naming.js';
import { hostOf } from '../../../../support/admission-host.js';
import { runPlugin, testAdmissionPlugin } from '../../../../support/admission-suite.js';
import { moduleOf } from '../../../../support/modules.js';
import { contextOf, namespaces, object, write } from '../attributes.js';
import { pods, writePod } from '../pods.js';
import { container } from './controls.js';

const prefix = 'pod-security.kubernetes.io/';

const namespace = (name: string, labels: Readonly<Record<string, string>> = {}): ApiObject =>
  object({
    kind: 'Namespace',
    metadata: {
      name,
      labels: Object.fromEntries(Object.entries(labels).map(([label, value]) => [prefix + label, value])),
    },
  });

const spaces = [
  namespace('open'),
  namespace('baseline', { enforce: 'baseline' }),
  namespace('mixed', { enforce: 'baseline', 'enforce-version': 'v1.99', audit: 'restricted', warn: 'baseline' }),
  namespace('wrong', { enforce: 'nope', audit: 'nope', warn: 'nope', 'enforce-version': 'nope' }),
  namespace('kept', { enforce: 'restricted', warn: 'restricted' }),
  namespace('told', { warn: 'baseline', 'warn-version': 'v1.26', audit: 'baseline' }),
];

const pod = (name: string, spec: JsonObject, metadata: JsonObject = {}): ApiObject =>
  object({ kind: 'Pod', metadata: { name, ...metadata }, spec });

const good: JsonObject = { containers: [container('a')] };
const bad: JsonObject = { containers: [container('a')], hostPID: true };
const badText = 'host namespaces (hostPID=true)';

interface Outcome {
  readonly failure: Failure | undefined;
  readonly warnings: readonly string[];
  readonly notes: Readonly<Record<string, string>>;
}

function contextFor(existing: readonly ApiObject[] = []): AdmissionContext & Omit<Outcome, 'failure'> {
  const [warnings, notes]: [string[], Record<string, string>] = [[], {}];
  return {
    ...contextOf(Object.fromEntries(spaces.map((one) => [`/namespaces//${one.metadata.name}`, one]))),
    list: () => existing,
    warn: (text) => warnings.push(text),
    annotate(key, value) {
      notes[key.replace(prefix, '')] = value;
    },
    warnings,
    notes,
  };
}

const usual = definePodSecurity(kubernetesNaming);
usual.start?.(hostOf([]));

async function run(
  attributes: AdmissionAttributes,
  { plugin = usual, existing = [] }: { plugin?: AdmissionPlugin; existing?: readonly ApiObject[] } = {},
): Promise<Outcome> {
  const context = contextFor(existing);
  const failure = await runPlugin(plugin, attributes, context);
  return { failure, warnings: context.warnings, notes: context.notes };
}

const create = (space: string, spec: JsonObject, more: Partial<AdmissionAttributes> = {}): AdmissionAttributes =>
  writePod(spec, { namespace: space, ...more });

const ofResource = (group: string, plural: string, body: JsonObject): AdmissionAttributes =>
  write({ resource: moduleOf(group, plural, plural), namespace: 'told', object: object(body) });

describe('a pod', () => {
  it.each<[space: string, spec: JsonObject, outcome: Partial<Outcome>]>([
    ['open', bad, { notes: { 'enforce-policy': 'privileged:latest' } }],
    ['baseline', good, { notes: { 'enforce-policy': 'baseline:latest' } }],
    ['mixed', good, { notes: { 'enforce-policy': 'baseline:v1.99' } }],
    [
      'told',
      bad,
      {
        notes: {
          'enforce-policy': 'privileged:latest',
          'audit-violations': `would violate PodSecurity "baseline:latest": ${badText}`,
        },
        warnings: [`would violate PodSecurity "baseline:v1.26": ${badText}`],
      },
    ],
  ])('is accepted by the namespace %s, with warnings and audit notes', async (space, spec, outcome) =>
    expect(await run(create(space, spec))).toEqual({ failure: undefined, warnings: [], notes: {}, ...outcome }),
  );

  it('that breaks the policy of its namespace is refused without a warning', async () => {
    const { failure, warnings, notes } = await run(create('mixed', bad));
    expect(failure).toMatchObject({
      reason: 'Forbidden',
      message: `pods "a" is forbidden: violates PodSecurity "baseline:v1.99": ${badText}`,
    });
    expect(warnings).toEqual([]);
    expect(notes).toEqual({
      'enforce-policy': 'baseline:v1.99',
      'audit-violations': `would violate PodSecurity "restricted:latest": ${badText}`,
    });
  });

  it('must meet the strictest level if labels are invalid, without warnings', async () => {
    const { failure, warnings, notes } = await run(create('wrong', { containers: [container('a', { runAsUser: 0 })] }));
    expect(failure?.message).toContain('violates PodSecurity "restricted:latest": runAsUser=0');
    expect(warnings).toEqual([]);
    expect(Object.keys(notes)).toEqual(['error', 'enforce-policy']);
    expect(notes.error).toMatch(
      /^Failed to parse policy: \[metadata.labels\[pod-security.kubernetes.io\/enforce\]: Invalid value: "nope": must be/,
    );
  });

  it('of a missing namespace is refused', async () =>
    expect((await run(create('none', good))).failure).toMatchObject({ reason: 'NotFound' }));

  const update = (before: JsonObject, after: JsonObject, more: Partial<AdmissionAttributes> = {}) =>
    create('baseline', after, { operation: 'UPDATE', oldObject: pod('a', before), ...more });
  const image = (image: string): JsonObject => ({ ...bad, containers: [{ name: 'a', image }] });
  const debug = (...names: string[]): JsonObject => ({
    ...bad,
    ephemeralContainers: names.map((name) => ({ name, image: 'i' })),
  });
  it.each<[string, JsonObject, JsonObject, boolean]>([
    ['labels', bad, bad, false],
    ['tolerations', bad, { ...bad, tolerations: [{ operator: 'Exists' }] }, false],
    ['an image', image('i'), image('j'), true],
    [
      'an image of an init container',
      { ...bad, initContainers: [{ name: 'i', image: 'i' }] },
      { ...bad, initContainers: [{ name: 'i', image: 'j' }] },
      true,
    ],
    ['the number of containers', bad, { ...bad, containers: [] }, true],
    ['a container for debugging', bad, debug('e'), true],
    ['nothing of containers for debugging', debug('e', 'f'), debug('f', 'e'), false],
  ])('that changes %s', async (_, before, after, isJudged) => {
    expect((await run(update(before, after))).failure !== undefined).toBe(isJudged);
    const more = { subresource: 'ephemeralcontainers' };
    expect((await run(update(before, after, more))).failure !== undefined).toBe(isJudged);
  });

  it.each(['status', 'binding', 'eviction', 'exec'])('is not judged at its subresource %s', (subresource) => {
    expect(usual.handles(pods, 'UPDATE', subresource)).toBe(false);
    expect(usual.handles(pods, 'CREATE', subresource)).toBe(false);
  });
});

describe('a workload', () => {
  const template = { metadata: {}, spec: bad };
  const warnings = [`would violate PodSecurity "baseline:v1.26": ${badText}`];
  it.each<[string, string, JsonObject]>([
    ['apps', 'deployments', { spec: { template } }],
    ['apps', 'daemonsets', { spec: { template } }],
    ['apps', 'statefulsets', { spec: { template } }],
    ['apps', 'replicasets', { spec: { template } }],
    ['', 'replicationcontrollers', { spec: { template } }],
    ['', 'podtemplates', { template }],
    ['batch', 'jobs', { spec: { template } }],
    ['batch', 'cronjobs', { spec: { jobTemplate: { spec: { template } } } }],
  ])('of %s/%s is reported, not refused', async (group, plural, body) => {
    const attributes = ofResource(group, plural, body);
    const notes = { 'audit-violations': `would violate PodSecurity "baseline:latest": ${badText}` };
    expect(await run(attributes)).toEqual({ failure: undefined, warnings, notes });
    expect(await run({ ...attributes, namespace: 'baseline' })).toMatchObject({ failure: undefined, warnings: [] });
    expect(await run({ ...attributes, namespace: 'none' })).toEqual({ failure: undefined, warnings: [], notes: {} });
    expect(usual.handles(attributes.resource, 'UPDATE', 'status')).toBe(false);
    expect(usual.handles(attributes.resource, 'DELETE', '')).toBe(false);
  });

  it('without a template is accepted', async () => {
    const attributes = ofResource('', 'replicationcontrollers', { spec: {} });
    expect(await run(attributes)).toEqual({ failure: undefined, warnings: [], notes: {} });
  });
});

describe('a namespace', () => {
  const change = (before: ApiObject | undefined, after: ApiObject): AdmissionAttributes =>
    write({
      resource: namespaces,
      namespace: '',
      name: after.metadata.name ?? '',
      object: after,
      ...(before ? { oldObject: before, operation: 'UPDATE' } : {}),
    });

  const rule = 'must be one of privileged, baseline, restricted';
  it.each<[Record<string, string>, string]>([
    [{ enforce: 'strict' }, `[${prefix}enforce]: Invalid value: "strict": ${rule}`],
    [{ audit: '' }, `[${prefix}audit]: Invalid value: "": ${rule}`],
    [{ 'warn-version': '1.27' }, `[${prefix}warn-version]: Invalid value: "1.27": must be "latest" or "v1.x"`],
    [{ 'warn-version': 'v1.01' }, `[${prefix}warn-version]: Invalid value: "v1.01": must be "latest" or "v1.x"`],
  ])('with the labels %j is refused', async (labels, problem) => {
    const { failure } = await run(change(undefined, namespace('n', labels)));
    expect(failure).toMatchObject({
      reason: 'Invalid',
      message: `Namespace "n" is invalid: metadata.labels${problem}`,
    });
    expect((await run(change(namespace('n'), namespace('n', labels)))).failure).toEqual(failure);
  });

  it('may keep wrong labels that it already had', async () => {
    const wrong = { enforce: 'nope' };
    const { failure } = await run(change(namespace('n', wrong), namespace('n', { ...wrong, enforced: 'a' })));
    expect(failure).toBeUndefined();
  });

  const controlled = (name: string, uid: string, spec: JsonObject) =>
    pod(name, spec, { ownerReferences: [{ uid, controller: true }] });
  const existing = [
    pod('z', { ...bad, hostIPC: true }),
    controlled('d-2', 'd', bad),
    controlled('d-1', 'd', bad),
    pod('p', { containers: [container('c', { privileged: true })] }),
    pod('y', bad),
    pod('fine', good),
    pod('q', { containers: [container('c', { privileged: true })] }),
  ];
  it('warns about its pods that break a stricter policy, once per reason', async () => {
    const { failure, warnings } = await run(
      change(namespace('n', { enforce: 'privileged' }), namespace('n', { enforce: 'baseline' })),
      { existing },
    );
    expect(failure).toBeUndefined();
    expect(warnings).toEqual([
      'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
      'd-1 (and 3 other pods): host namespaces',
      'p (and 1 other pod): privileged',
    ]);
  });

  it('checks at most 3,000 pods, later pods of a controller last', async () => {
    const many = [
      ...Array.from({ length: 3000 }, (_, i) => controlled(`many-${i}`, 'one', good)),
      controlled('other', 'two', bad),
    ];
    const labelled = namespace('n', { enforce: 'baseline' });
    const { warnings } = await run(change(namespace('n'), labelled), { existing: many });
    expect(warnings).toEqual([
      'new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods',
      'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
      'other: host namespaces',
    ]);
  });

  it('is checked for at most half of the time limit of the request', async () => {
    const context: AdmissionContext = { ...contextFor(existing), timeLeft: () => -1000 };
    const warnings: string[] = [];
    const labelled = namespace('n', { enforce: 'baseline' });
    await runPlugin(usual, change(namespace('n'), labelled), { ...context, warn: (text) => warnings.push(text) });
    expect(warnings[0]).toBe('new PodSecurity enforce level only checked against the first 1 of 7 existing pods');
  });

  it.each<[Record<string, string>, Record<string, string>]>([
    [{ enforce: 'restricted' }, { enforce: 'baseline' }],
    [{ enforce: 'baseline' }, { enforce: 'baseline', a: 'b' }],
    [{ enforce: 'baseline' }, { enforce: 'privileged', 'enforce-version': 'v1.20' }],
    [{}, { warn: 'restricted', audit: 'restricted' }],
  ])('with a change from %j to %j is not checked', async (before, after) => {
    const outcome = await run(change(namespace('n', before), namespace('n', after)), { existing });
    expect(outcome).toEqual({ failure: undefined, warnings: [], notes: {} });
  });

  it.each<[Record<string, string>, Record<string, string>]>([
    [{ enforce: 'baseline' }, { enforce: 'restricted' }],
    [{ enforce: 'restricted' }, { enforce: 'baseline', 'enforce-version': 'v1.20' }],
    [{ enforce: 'baseline' }, { enforce: 'baseline', 'enforce-version': 'v1.20' }],
  ])('with a change from %j to %j is checked', async (before, after) => {
    const { warnings } = await run(change(namespace('n', before), namespace('n', after)), { existing });
    expect(warnings.length).toBeGreaterThan(1);
  });
});

describe('a configuration', () => {
  const metrics = new Metrics({ release: '0.1', prefix: 'kubernetes' });
  /** Lists the label values of everything counted so far, in order. */
  const counted = async (metric: string): Promise<readonly string[]> => {
    const { pieces } = await metrics.show('text/plain');
    const body = [...pieces].join('');
    const samples = [...body.matchAll(new RegExp(`^pod_security_${metric}_total{(.*)} (.*)$`, 'gm'))];
    return samples.map(([, labels = '', count]) => `${labels.replace(/\w+="([^"]*)",?/g, '$1 ')}× ${count}`).sort();
  };
  const plugin = definePodSecurity(kubernetesNaming);
  const configuration = {
    defaults: { enforce: 'baseline', warn: 'restricted', 'warn-version': 'v1.20' },
    exemptions: { usernames: ['operator'], namespaces: ['kept', 'new'], runtimeClasses: ['vm'] },
  };
  const problems: string[] = [];
  const check = (value: unknown, of = plugin): readonly string[] => {
    problems.length = 0;
    of.configuration?.check(value, (path, problem) => problems.push(`${path.join('.')}: ${problem}`));
    return [...problems];
  };
  plugin.start?.({ ...hostOf([]), observer: observerOf(metrics) }, configuration);

  it('sets the policies of namespaces without labels', async () => {
    expect(check(configuration)).toEqual([]);
    const { failure } = await run(create('open', bad), { plugin });
    expect(failure?.message).toContain('violates PodSecurity "baseline:latest"');
    const { warnings } = await run(create('open', { containers: [{ name: 'a' }] }), { plugin });
    expect(warnings[0]).toMatch(/^would violate PodSecurity "restricted:v1.20": /);
    await run(create('mixed', good), { plugin });
    expect(await counted('evaluations')).toEqual([
      'allow enforce  baseline future create pod  × 1',
      'allow enforce  baseline latest create pod  × 1',
      'deny enforce  baseline latest create pod  × 1',
      'deny warn  restricted v1.20 create pod  × 1',
    ]);
  });

  const user = (name: string) => ({ user: { name, uid: '', groups: [], extra: {} } });
  it.each<[string, AdmissionAttributes]>([
    ['namespace', create('kept', bad)],
    ['user', create('open', bad, user('operator'))],
    ['runtimeClass', create('open', { ...bad, runtimeClassName: 'vm' })],
  ])('exempts by %s', async (exempt, attributes) => {
    expect(await run(attributes, { plugin })).toEqual({ failure: undefined, warnings: [], notes: { exempt } });
    expect((await run(attributes)).notes).not.toHaveProperty('exempt');
  });

  it('counts exempt requests', async () => expect(await counted('exemptions')).toEqual(['create pod  × 3']));

  it('warns that labels of exempt namespaces have no effect', async () => {
    const relabel = (labels: Readonly<Record<string, string>>, operation: 'CREATE' | 'UPDATE' = 'UPDATE') => {
      const oldObject = operation === 'UPDATE' ? { oldObject: namespace('new') } : {};
      return write({ resource: namespaces, name: 'new', operation, object: namespace('new', labels), ...oldObject });
    };
    const text = (policies: string) => [
      `namespace "new" is exempt from Pod Security, and the policy (${policies}) will be ignored`,
    ];
    const warningsOf = async (attributes: AdmissionAttributes) => (await run(attributes, { plugin })).warnings;
    const labels = { enforce: 'restricted', audit: 'privileged', 'warn-version': 'v1.25' };
    expect(await warningsOf(relabel(labels))).toEqual(text('enforce=restricted:latest, warn=restricted:v1.25'));
    expect(await warningsOf(relabel(labels, 'CREATE'))).toEqual(
      text('enforce=restricted:latest, warn=restricted:v1.25'),
    );
    expect(await warningsOf(relabel({ enforce: 'baseline' }, 'CREATE'))).toEqual([]);
    expect(await warningsOf(relabel({ enforce: 'privileged', warn: 'privileged' }, 'CREATE'))).toEqual([]);
  });

  it.each<[unknown, readonly string[]]>([
    [{}, []],
    [{ defaults: {}, exemptions: {} }, []],
    [{ defaults: { enforce: '', 'enforce-version': 'v1.3' } }, []],
    [
      { defaults: { enforce: 'Baseline' } },
      ['defaults.enforce: "Baseline" must be one of privileged, baseline, restricted'],
    ],
    [{ defaults: { 'audit-version': '1.2' } }, ['defaults.audit-version: "1.2" must be "latest" or "v1.x"']],
    [
      { exemptions: { usernames: ['a', '', 'a'] } },
      ['exemptions.usernames.1: "": must not be empty', 'exemptions.usernames.2: "a" is listed twice'],
    ],
    [{ exemptions: { groups: [] } }, [expect.stringMatching(/^exemptions.groups: unknown field/)]],
    [{ exemptions: { namespaces: ['A'] } }, [expect.stringMatching(/^exemptions.namespaces.0: "A": /)]],
    [{ exemptions: { runtimeClasses: ['A'] } }, [expect.stringMatching(/^exemptions.runtimeClasses.0: "A": /)]],
  ])('of %j is checked', (value, expected) => expect(check(value)).toEqual(expected));
});

testAdmissionPlugin({
  plugin: usual,
  admitted: create('kept', good),
  refused: create('kept', bad),
  context: contextFor(),
  words: ['containers', 'initContainers', 'securityContext', 'volumes', 'hostPort', 'ports', 'annotations', 'image'],
});
