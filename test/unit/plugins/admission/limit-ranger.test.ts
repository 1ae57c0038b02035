import { describe, expect, it } from 'vitest';
import { defineLimitRanger } from '../../../../plugins/index.js';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { type EmulatedVersion, emulate } from '../../../../runtime/objects/release.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { contextWith, object, started, write } from './attributes.js';
import { pod, pods, writePod } from './pods.js';

const claims = moduleOf('', 'persistentvolumeclaims', 'PersistentVolumeClaim');
const limitRange = (limits: JsonObject[], name = 'range', namespace = 'team'): ApiObject =>
  object({ metadata: { name, namespace }, spec: { limits } });

/** Starts the plugin on a server with these limit ranges. */
function withRanges(ranges: readonly ApiObject[] = [], version?: EmulatedVersion) {
  const plugin = defineLimitRanger(kubernetesNaming, emulate(version));
  return { plugin, sink: started(plugin, 'limitranges', ranges) };
}

const container = (name: string, resources?: JsonObject): JsonObject => ({ name, ...(resources ? { resources } : {}) });

/** Returns the message of a refused pod under some limits. */
async function refusal(limits: JsonObject[], spec: JsonObject, version?: EmulatedVersion): Promise<string | undefined> {
  const failure = await runPlugin(withRanges([limitRange(limits)], version).plugin, writePod(spec), contextWith({}));
  return failure?.message.replace('pods "a" is forbidden: ', '');
}

describe('containers', () => {
  const defaults = limitRange([
    { type: 'Container', default: { cpu: '500m', memory: '256Mi' }, defaultRequest: { cpu: '100m' } },
    { type: 'Pod', default: { cpu: '9' } },
  ]);

  it('get the defaults, which an annotation of the pod records', async () => {
    const made = pod({
      containers: [container('a'), container('b', { limits: { cpu: '1' }, requests: { cpu: '1' } })],
      initContainers: [container('i', { requests: { cpu: '2m' } })],
    });
    await runPlugin(withRanges([defaults]).plugin, writePod({}, { object: made }), contextWith({}));
    const limits = { cpu: '500m', memory: '256Mi' };
    expect(made.spec).toEqual({
      containers: [
        container('a', { limits, requests: { cpu: '100m' } }),
        container('b', { limits: { cpu: '1', memory: '256Mi' }, requests: { cpu: '1' } }),
      ],
      initContainers: [container('i', { limits, requests: { cpu: '2m' } })],
    });
    expect(made.metadata.annotations).toEqual({
      'kubernetes.io/limit-ranger':
        'LimitRanger plugin set: cpu request for container a; cpu, memory limit for container a; ' +
        'memory limit for container b; cpu, memory limit for init container i',
    });
  });

  it('get no defaults of another namespace or of a deleted range', async () => {
    const { plugin, sink } = withRanges([limitRange([{ type: 'Container', default: { cpu: '1' } }], 'r', 'other')]);
    sink.changed(defaults);
    sink.removed('team', 'range');
    const made = pod({ containers: [container('a')] });
    await runPlugin(plugin, writePod({}, { object: made }), contextWith({}));
    expect(made).toEqual(pod({ containers: [container('a')] }));
  });

  const bounds = { type: 'Container', min: { cpu: '100m' }, max: { cpu: '1' }, maxLimitRequestRatio: { cpu: '4' } };
  it.each<[string, JsonObject, string | undefined]>([
    ['inside', { requests: { cpu: '250m' }, limits: { cpu: '1' } }, undefined],
    [
      'without requests and limits',
      {},
      '[minimum cpu usage per Container is 100m.  No request is specified, ' +
        'maximum cpu usage per Container is 1.  No limit is specified, ' +
        'cpu max limit to request ratio per Container is 4, but no request is specified or request is 0]',
    ],
    [
      'below',
      { requests: { cpu: '50m' }, limits: { cpu: '100m' } },
      'minimum cpu usage per Container is 100m, but request is 50m',
    ],
    [
      'above',
      { requests: { cpu: '1001m' }, limits: { cpu: '1001m' } },
      'maximum cpu usage per Container is 1, but limit is 1001m',
    ],
    [
      'that may take much more than they ask for',
      { requests: { cpu: '100m' }, limits: { cpu: '1' } },
      'cpu max limit to request ratio per Container is 4, but provided ratio is 10.000000',
    ],
  ])('%s', async (_, resources, message) => {
    expect(await refusal([bounds], { containers: [container('c', resources)] })).toBe(message);
    const spec = { containers: [], initContainers: [container('c', resources)] };
    expect(await refusal([bounds], spec)).toBe(message);
  });

  it('report the same mistake once', async () => {
    const spec = { containers: [container('a'), container('b')] };
    const said = 'maximum cpu usage per Container is 1.  No limit is specified';
    expect(await refusal([{ type: 'Container', max: { cpu: '1' } }], spec)).toBe(said);
  });
});

describe('pods', () => {
  const bounds = { type: 'Pod', min: { cpu: '200m' }, max: { cpu: '2' } };
  const cpu = (amount: string): JsonObject => ({ requests: { cpu: amount }, limits: { cpu: amount } });

  it('are judged by the sum of their containers', async () => {
    const of = (amount: string) =>
      refusal([bounds], { containers: ['a', 'b'].map((name) => container(name, cpu(amount))) });
    expect(await of('1')).toBeUndefined();
    expect(await of('1500m')).toBe('maximum cpu usage per Pod is 2, but limit is 3');
    expect(await of('50m')).toBe('minimum cpu usage per Pod is 200m, but request is 100m');
  });

  it('have sums in decimal notation', async () => {
    const limits = [{ type: 'Pod', max: { memory: '128Mi' } }];
    const memory = (amount: string) => ({ limits: { memory: amount }, requests: { memory: amount } });
    const containers = [container('a', memory('128Mi')), container('b', memory('64Mi'))];
    const said = 'maximum memory usage per Pod is 128Mi, but limit is ';
    expect(await refusal(limits, { containers })).toBe(`${said}201326592`);
    expect(await refusal(limits, { containers: [container('a', memory('200M'))] })).toBe(`${said}200M`);
    expect(await refusal(limits, { containers }, 'latest')).toBe(`${said}192Mi`);
  });

  it('have a sum if only some set an amount, and an amount of their own, in later releases', async () => {
    const limits = [{ type: 'Pod', max: { cpu: '2' } }];
    const sidecar = { ...container('s', { limits: { cpu: '1' } }), restartPolicy: 'Always' };
    const containers = [container('a', { limits: { cpu: '1' } }), container('b')];
    expect(await refusal(limits, { containers }, 'latest')).toBeUndefined();
    const more = { containers: [container('a', { limits: { cpu: '1500m' } })], initContainers: [sidecar] };
    expect(await refusal(limits, more, 'latest')).toBe('maximum cpu usage per Pod is 2, but limit is 2500m');
    expect(await refusal(limits, { ...more, resources: { limits: { cpu: '2' } } }, 'latest')).toBeUndefined();
    expect(withRanges([], 'latest').plugin.handles(pods, 'UPDATE', 'resize')).toBe(true);
  });

  it('have no sum if a container sets none', async () =>
    expect(await refusal([bounds], { containers: [container('a', cpu('1')), container('b')] })).toBe(
      '[minimum cpu usage per Pod is 200m.  No request is specified, maximum cpu usage per Pod is 2.  No limit is specified]',
    ));

  it('are as large as their largest init container', async () => {
    const spec = { containers: [container('a', cpu('1'))], initContainers: [container('i', cpu('3'))] };
    expect(await refusal([bounds], spec)).toBe('maximum cpu usage per Pod is 2, but limit is 3');
  });
});

describe('claims', () => {
  const { plugin } = withRanges([
    limitRange([{ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '4Gi' } }]),
  ]);
  const claim = (storage: string) => object({ spec: { resources: { requests: { storage } } } });
  const update = (storage: string, more: JsonObject = {}) =>
    write({
      resource: claims,
      operation: 'UPDATE',
      object: claim(storage),
      oldObject: object({ metadata: { name: 'a', ...more } }),
    });

  it.each([
    ['1Gi', undefined],
    ['4Gi', undefined],
    ['1Mi', 'minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi'],
    ['5Gi', 'maximum storage usage per PersistentVolumeClaim is 4Gi, but request is 5Gi'],
  ])('of %s', async (storage, why) => {
    const message = why && `persistentvolumeclaims "a" is forbidden: ${why}`;
    const creating = write({ resource: claims, object: claim(storage) });
    expect((await runPlugin(plugin, creating, contextWith({})))?.message).toBe(message);
    expect((await runPlugin(plugin, update(storage), contextWith({})))?.message).toBe(message);
  });

  it('are not judged when they are removed', async () => {
    const going = update('5Gi', { deletionTimestamp: '2030-01-01T00:00:00Z' });
    expect(await runPlugin(plugin, going, contextWith({}))).toBeUndefined();
  });

  testAdmissionPlugin({
    plugin,
    admitted: write({ resource: claims, object: claim('2Gi') }),
    refused: write({ resource: claims, object: claim('5Gi') }),
    context: contextWith({}),
    words: ['resources', 'requests', 'limits', 'storage', 'containers'],
  });
});

describe('limit ranges of many resources', () => {
  const amounts = (count: number): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`example.com/r${i}`, '1']));
  const containers = Array.from({ length: 200 }, (_, i) => container(`c${i}`));

  it('do not make a pod larger than any stored pod', async () => {
    const { plugin } = withRanges([limitRange([{ type: 'Container', default: amounts(600) }])]);
    const failure = await runPlugin(plugin, writePod({ containers }), contextWith({}));
    expect(failure?.reason).toBe('RequestEntityTooLarge');
    expect(failure?.message).toContain('limit is 100000 amounts');
  });

  it('report a thousand problems at most', async () => {
    const problems = await refusal([{ type: 'Container', min: amounts(5000) }], { containers });
    expect(problems?.split('No request is specified')).toHaveLength(1001);
  });
});

it('does not judge pods again', () => expect(withRanges().plugin.handles(pods, 'UPDATE', '')).toBe(false));
