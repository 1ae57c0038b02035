import { describe, expect, it } from 'vitest';
import { defineResourceQuota } from '../../../../plugins/index.js';
import type { AdmissionAttributes, ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { hostOf, type TestHost } from '../../../support/admission-host.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { configMaps, contextWith, namespaces, object, write } from './attributes.js';
import { pods, writePod } from './pods.js';

const services = moduleOf('', 'services', 'Service');
const reviews = moduleOf('authorization.k8s.io', 'localsubjectaccessreviews', 'LocalSubjectAccessReview');
const context = contextWith({});

const quota = (hard: JsonObject, used: JsonObject | undefined, spec: JsonObject = {}, name = 'q'): ApiObject =>
  object({
    metadata: { name, namespace: 'team', resourceVersion: '1' },
    spec: { hard, ...spec },
    status: { hard, ...(used ? { used } : {}) },
  });

function withQuotas(quotas: readonly ApiObject[], configuration?: JsonObject, off = ['InPlacePodVerticalScaling']) {
  const plugin = defineResourceQuota(kubernetesNaming);
  const host = hostOf([], off);
  plugin.start?.(host, configuration);
  for (const one of quotas) host.put('resourcequotas', one);
  return { plugin, host };
}

const usedOf = (host: TestHost, name = 'q'): unknown => {
  const status = host.objects('', 'resourcequotas').get('team', name)?.status;
  return status && typeof status === 'object' && 'used' in status ? status.used : undefined;
};

async function refusal(
  { plugin }: ReturnType<typeof withQuotas>,
  attributes: AdmissionAttributes,
): Promise<string | undefined> {
  const failure = await runPlugin(plugin, attributes, context);
  return failure?.message.replace(/^[a-z]+ "a" is forbidden: /, '');
}

const creating = (more: Partial<AdmissionAttributes> = {}) => write({ object: object(), ...more });
const withCpu = (cpu: string) => writePod({ containers: [{ name: 'c', resources: { requests: { cpu } } }] });

describe('a create', () => {
  it('is charged, and refused once nothing is left', async () => {
    const server = withQuotas([quota({ configmaps: '1' }, { configmaps: '0' })]);
    expect(await refusal(server, creating())).toBeUndefined();
    expect(usedOf(server.host)).toEqual({ configmaps: '1' });
    expect(await refusal(server, creating())).toBe(
      'exceeded quota: q, requested: configmaps=1, used: configmaps=1, limited: configmaps=1',
    );
    expect(usedOf(server.host)).toEqual({ configmaps: '1' });
  });

  it('is not charged by a dry run, which can be refused too', async () => {
    const server = withQuotas([quota({ configmaps: '1' }, { configmaps: '0' })]);
    expect(await refusal(server, creating({ dryRun: true }))).toBeUndefined();
    expect(usedOf(server.host)).toEqual({ configmaps: '0' });
    await refusal(server, creating());
    expect(await refusal(server, creating({ dryRun: true }))).toContain('exceeded quota');
  });

  it('is charged to all matching quotas, or to none', async () => {
    const server = withQuotas([
      quota({ configmaps: '5', secrets: '1' }, { configmaps: '0', secrets: '1' }),
      quota({ 'count/configmaps': '1' }, { 'count/configmaps': '0' }, {}, 'r'),
    ]);
    expect(await refusal(server, creating())).toBeUndefined();
    expect(await refusal(server, creating())).toContain('exceeded quota: r');
    expect(usedOf(server.host)).toEqual({ configmaps: '1', secrets: '1' });
    expect(usedOf(server.host, 'r')).toEqual({ 'count/configmaps': '1' });
  });

  it('waits until the quota is counted, and is free without a limit in the status', async () => {
    const uncounted = withQuotas([quota({ configmaps: '1' }, undefined)]);
    expect(await refusal(uncounted, creating())).toBe('status unknown for quota: q, resources: configmaps');
    const unset = quota({ configmaps: '0' }, undefined);
    const server = withQuotas([{ ...unset, status: {} }]);
    expect(await refusal(server, creating())).toBeUndefined();
  });

  it('is free in other namespaces and for other kinds', async () => {
    const server = withQuotas([quota({ configmaps: '0' }, { configmaps: '0' })]);
    expect(await refusal(server, creating({ namespace: 'other' }))).toBeUndefined();
    expect(await refusal(server, writePod({}))).toBeUndefined();
  });

  it.each([
    ['is answered with what the store failed with', { reason: 'Conflict', message: 'others were faster' } as const],
    ['is free where the quota is gone by then', { reason: 'NotFound', message: 'gone' } as const],
  ])('%s', async (_, failure) => {
    const { host } = withQuotas([quota({ configmaps: '1' }, { configmaps: '0' })]);
    const plugin = defineResourceQuota(kubernetesNaming);
    plugin.start?.({ ...host, update: async () => ({ ok: false, failure }) });
    const expected = failure.reason === 'NotFound' ? undefined : failure.message;
    expect(await refusal({ plugin, host }, creating())).toBe(expected);
  });

  it('is checked against the stored quota', async () => {
    const { host } = withQuotas([quota({ configmaps: '1' }, { configmaps: '0' })]);
    const plugin = defineResourceQuota(kubernetesNaming);
    let attempts = 0;
    plugin.start?.({
      ...host,
      // Another server charges the quota in between, so the change is made again on the newer state.
      update: async (place, change) => {
        const [before, after] = [
          quota({ configmaps: '1' }, { configmaps: '0' }),
          quota({ configmaps: '1' }, { configmaps: '1' }),
        ];
        for (const state of [before, after]) {
          attempts++;
          change(state);
        }
        return host.update(place, () => undefined);
      },
    });
    expect(await refusal({ plugin, host }, creating())).toContain('used: configmaps=1');
    expect(attempts).toBe(2);
  });
});

describe('many creates at once', () => {
  it('share the writes of the quota, and stay within it', async () => {
    const server = withQuotas([quota({ configmaps: '10' }, { configmaps: '0' })]);
    let writes = 0;
    const counting = defineResourceQuota(kubernetesNaming);
    counting.start?.({
      ...server.host,
      update: (...change) => {
        writes++;
        return server.host.update(...change);
      },
    });
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => refusal({ ...server, plugin: counting }, creating())),
    );
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(10);
    expect(usedOf(server.host)).toEqual({ configmaps: '10' });
    expect(writes).toBeLessThan(10);
  });

  it('are all answered if charging fails', async () => {
    const { host } = withQuotas([quota({ configmaps: '10' }, { configmaps: '0' })]);
    const plugin = defineResourceQuota(kubernetesNaming);
    plugin.start?.({ ...host, update: () => Promise.reject(new Error('broken')) });
    const answers = await Promise.allSettled([1, 2, 3].map(() => runPlugin(plugin, creating(), context)));
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});

describe('an update', () => {
  const service = (type: string): ApiObject => object({ spec: { type, ports: [{ port: 1 }] } });
  const updating = (from: string, to: string) =>
    write({ operation: 'UPDATE', resource: services, oldObject: service(from), object: service(to) });

  it('is charged for its additions, and frees nothing', async () => {
    const hard = { services: '1', 'services.nodeports': '1' };
    const server = withQuotas([quota(hard, { services: '1', 'services.nodeports': '0' })]);
    expect(await refusal(server, updating('ClusterIP', 'NodePort'))).toBeUndefined();
    expect(usedOf(server.host)).toEqual({ services: '1', 'services.nodeports': '1' });
    expect(await refusal(server, updating('NodePort', 'ClusterIP'))).toBeUndefined();
    expect(usedOf(server.host)).toEqual({ services: '1', 'services.nodeports': '1' });
    expect(await refusal(server, updating('ClusterIP', 'NodePort'))).toContain('requested: services.nodeports=1');
  });

  it('is handled if it can cost something', () => {
    const { plugin } = withQuotas([]);
    expect(plugin.handles(services, 'UPDATE', '')).toBe(true);
    expect(plugin.handles(services, 'UPDATE', 'status')).toBe(false);
    expect(plugin.handles(configMaps, 'UPDATE', '')).toBe(false);
    expect(plugin.handles(pods, 'UPDATE', '')).toBe(false);
    expect(plugin.handles(pods, 'CREATE', 'binding')).toBe(false);
    expect(plugin.handles(namespaces, 'CREATE', '')).toBe(false);
    expect(plugin.handles(reviews, 'CREATE', '')).toBe(false);
    expect(plugin.handles(services, 'DELETE', '')).toBe(false);
    expect(withQuotas([], undefined, []).plugin.handles(pods, 'UPDATE', '')).toBe(true);
  });
});

describe('a pod', () => {
  it('must set the resources that a quota limits', async () => {
    const hard = { 'requests.cpu': '1', 'limits.memory': '1Gi', pods: '9' };
    const server = withQuotas([quota(hard, { 'requests.cpu': '0', 'limits.memory': '0', pods: '0' })]);
    const spec = { containers: [{ name: 'b' }, { name: 'a', resources: { requests: { cpu: '1' } } }] };
    expect(await refusal(server, writePod(spec))).toBe(
      'failed quota: q: must specify limits.memory for: a,b; requests.cpu for: b',
    );
  });

  it('is charged for the requests of its containers', async () => {
    const server = withQuotas([quota({ 'requests.cpu': '1', pods: '9' }, { 'requests.cpu': '0', pods: '0' })]);
    expect(await refusal(server, withCpu('600m'))).toBeUndefined();
    expect(await refusal(server, withCpu('500m'))).toBe(
      'exceeded quota: q, requested: requests.cpu=500m, used: requests.cpu=600m, limited: requests.cpu=1',
    );
    expect(await refusal(server, withCpu('400m'))).toBeUndefined();
    expect(usedOf(server.host)).toEqual({ pods: '2', 'requests.cpu': '1' });
  });

  it('cannot use negative amounts', async () => {
    const server = withQuotas([quota({ 'requests.cpu': '1' }, { 'requests.cpu': '1' })]);
    expect(await refusal(server, withCpu('-1'))).toBe('quota usage is negative for resource(s): cpu,requests.cpu');
  });

  it('is judged by the quotas of its scopes', async () => {
    const none = { pods: '0' };
    const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }];
    const server = withQuotas([
      quota(none, none, { scopes: ['Terminating', 'NotBestEffort'] }, 'ending'),
      quota(none, none, { scopeSelector: { matchExpressions } }, 'high'),
    ]);
    expect(await refusal(server, writePod({ activeDeadlineSeconds: 1 }))).toBeUndefined();
    expect(await refusal(server, writePod({ priorityClassName: 'high' }))).toContain('exceeded quota: high');
    const ending = withCpu('1');
    expect(await refusal(server, ending)).toBeUndefined();
    const spec = { activeDeadlineSeconds: 1, containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] };
    expect(await refusal(server, writePod(spec))).toContain('exceeded quota: ending');
  });
});

describe('limited resources of the configuration', () => {
  const limited = (one: JsonObject): JsonObject => ({
    limitedResources: [{ apiGroup: '', matchContains: [], matchScopes: [], ...one }],
  });
  const priority = { scopeName: 'PriorityClass', operator: 'In', values: ['high', 'higher'] };

  it('are refused if no quota covers them', async () => {
    const configuration = limited({ resource: 'configmaps', matchContains: ['count/'] });
    expect(await refusal(withQuotas([], configuration), creating())).toBe(
      'insufficient quota to consume: count/configmaps',
    );
    const covered = [quota({ 'count/configmaps': '1' }, { 'count/configmaps': '0' })];
    expect(await refusal(withQuotas(covered, configuration), creating())).toBeUndefined();
    expect(await refusal(withQuotas([], configuration), writePod({}))).toBeUndefined();
  });

  it('may be pods of a scope', async () => {
    const configuration = limited({ resource: 'pods', matchScopes: [priority] });
    const high = writePod({ priorityClassName: 'high' });
    expect(await refusal(withQuotas([], configuration), high)).toBe(
      'insufficient quota to match these scopes: [{PriorityClass In [high higher]}]',
    );
    const scopeSelector = { matchExpressions: [{ ...priority, values: ['high'] }] };
    const covered = [quota({ pods: '1' }, { pods: '0' }, { scopeSelector })];
    expect(await refusal(withQuotas(covered, configuration), high)).toBeUndefined();
    expect(await refusal(withQuotas([], configuration), writePod({ priorityClassName: 'low' }))).toBeUndefined();
  });

  it('are validated in the configuration', () => {
    const problems = (value: JsonObject): string[] => {
      const found: string[] = [];
      defineResourceQuota(kubernetesNaming).configuration?.check(value, (path, problem) =>
        found.push(`${path.join('.')}: ${problem}`),
      );
      return found;
    };
    expect(problems(limited({ resource: 'pods', matchScopes: [priority] }))).toEqual([]);
    expect(problems({ limitedResources: [{ matchScopes: [{ scopeName: 'Best', operator: 'Exists' }] }] })).toEqual([
      expect.stringContaining('limitedResources.0.resource: missing'),
      expect.stringContaining('limitedResources.0.matchScopes.0.scopeName: "Best" is unknown'),
    ]);
  });
});

const full = withQuotas([quota({ configmaps: '1' }, { configmaps: '1' })]);
testAdmissionPlugin({
  plugin: full.plugin,
  admitted: creating({ namespace: 'other' }),
  refused: creating(),
  context,
  words: ['containers', 'initContainers', 'resources', 'requests', 'limits', 'overhead', 'ports', 'affinity', 'type'],
});
