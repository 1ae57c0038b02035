import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { ApiError, fetchTransport } from '../../../../client/index.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { isArray, isObject, objectAt, stringAt } from '../../../../runtime/objects/guards.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { type BootstrapParts, firstHooks, laterHooks } from '../../../../server/bootstrap/index.js';
import { defineHooks } from '../../../../server/run-hooks.js';
import { defaultServiceRanges } from '../../../../strategies/index.js';
import { ask } from '../../../support/ask.js';
import { type ListeningServer, servingForTests, startServing } from '../../../support/serving.js';
import { hasShared, shared } from '../../../support/shared.js';

const running = servingForTests({ naming: 'kubernetes', controllers: 'none' });
const partsOf = ({ url }: ListeningServer): BootstrapParts => ({
  client: { transport: fetchTransport({ baseUrl: url }) },
  naming: kubernetesNaming,
  port: 6443,
  host: '127.0.0.1',
  serviceRanges: defaultServiceRanges,
  ownKinds: [],
  release: emulate(),
  featureEnabled: () => false,
});

const send = async (method: string, path: string, body?: JsonObject): Promise<JsonObject> =>
  (await ask(running(), method, path, body)).body;

/** Starts a server with another range of addresses. */
async function elsewhere(serviceClusterIpRange: string): Promise<{ url: string; stop: ListeningServer['stop'] }> {
  const { url, stop } = await startServing({ naming: 'kubernetes', serviceClusterIpRange });
  return { url, stop };
}

/** Runs all hooks again, like a server that starts on the same store. */
const startAgain = (): Promise<void> => defineHooks([...firstHooks, ...laterHooks]).run(partsOf(running()));

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const flow = '/apis/flowcontrol.apiserver.k8s.io/v1beta3';

/** Removes values from an object that differ from server to server. */
function plain(object: JsonObject): JsonObject {
  const { name, namespace, labels, annotations, generation } = objectAt(object, 'metadata') ?? {};
  const { apiVersion: _version, kind: _kind, status: _status, ...rest } = object;
  const text = JSON.stringify({ ...rest, metadata: { name, namespace, labels, annotations, generation } });
  // The port is the server's own.
  return JSON.parse(text.replace(/"targetPort":\d+/, '"targetPort":0'));
}

const listed = (list: JsonObject): JsonObject[] => (isArray(list.items) ? list.items.filter(isObject).map(plain) : []);

describe.skipIf(!hasShared)('after a first start (needs ../shared)', () => {
  const wanted: Readonly<Record<string, readonly JsonObject[]>> = hasShared
    ? JSON.parse(readFileSync(shared('reference', 'initial-objects-1.27.json'), 'utf8'))
    : {};

  // Removes rules of aggregated roles. The reference leaves them to a controller; here they exist from the start.
  const withoutGathered = (role: JsonObject): JsonObject =>
    role.aggregationRule === undefined ? role : { ...role, rules: [] };

  it.each(Object.keys(wanted))('%s equal the recorded ones', async (path) => {
    const byName = (a: JsonObject, b: JsonObject): number =>
      stringAt(objectAt(a, 'metadata'), 'name') < stringAt(objectAt(b, 'metadata'), 'name') ? -1 : 1;
    const found = listed(await send('GET', path)).map(withoutGathered);
    const expected = (wanted[path] ?? []).map(plain).map(withoutGathered);
    expect(found.sort(byName)).toEqual(expected.sort(byName));
  });
});

describe('aggregated roles', () => {
  it('have the rights of their parts before any controller runs', async () => {
    const rulesOf = async (name: string): Promise<JsonObject[]> => {
      const { rules } = await send('GET', `${rbac}/clusterroles/${name}`);
      return isArray(rules) ? rules.filter(isObject) : [];
    };
    const [view, edit, admin] = [await rulesOf('view'), await rulesOf('edit'), await rulesOf('admin')];
    expect(view).toEqual(await rulesOf('system:aggregate-to-view'));
    expect(edit).toEqual([...(await rulesOf('system:aggregate-to-edit')), ...view]);
    expect(admin).toEqual([...edit, ...(await rulesOf('system:aggregate-to-admin'))]);
    expect(view.length).toBeGreaterThan(5);
  });
});

describe('a start on existing data', () => {
  it('changes nothing if nothing is missing', async () => {
    const { items } = await send('GET', `${rbac}/clusterroles`);
    await startAgain();
    expect((await send('GET', `${rbac}/clusterroles`)).items).toEqual(items);
  });

  it('restores deleted objects', async () => {
    const paths = [
      `${rbac}/clusterroles/view`,
      `${rbac}/clusterrolebindings/system:discovery`,
      `${rbac}/namespaces/kube-system/roles/system:controller:token-cleaner`,
      `${flow}/flowschemas/probes`,
      `${flow}/prioritylevelconfigurations/catch-all`,
      '/api/v1/namespaces/default/services/kubernetes',
    ];
    for (const path of paths) await send('DELETE', path);
    await startAgain();
    for (const path of paths) expect(objectAt(await send('GET', path), 'metadata')).toHaveProperty('uid');
  });

  it('adds missing rights to a role and keeps others', async () => {
    const path = `${rbac}/clusterroles/system:basic-user`;
    const own = { verbs: ['get'], apiGroups: ['example.com'], resources: ['things'] };
    await send('PATCH', path, { rules: [own] });
    await startAgain();
    const { rules } = await send('GET', path);
    expect(rules).toHaveLength(3);
    expect(rules).toContainEqual(own);
    await startAgain();
    expect((await send('GET', path)).rules).toEqual(rules);
  });

  it('adds missing subjects to a binding and keeps others', async () => {
    const path = `${rbac}/clusterrolebindings/system:discovery`;
    const own = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'someone' };
    await send('PATCH', path, { subjects: [own] });
    await startAgain();
    const { subjects } = await send('GET', path);
    expect(subjects).toHaveLength(2);
    expect(subjects).toContainEqual(own);
  });

  it('does not change roles if their owner disables it', async () => {
    const path = `${rbac}/clusterroles/system:public-info-viewer`;
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };
    await send('PATCH', path, { metadata: { annotations }, rules: [] });
    await startAgain();
    expect((await send('GET', path)).rules).toBeNull();
  });

  it('restores flow control, unless another program manages it', async () => {
    const path = `${flow}/flowschemas/service-accounts`;
    const precedence = async (): Promise<unknown> => objectAt(await send('GET', path), 'spec')?.matchingPrecedence;
    await send('PATCH', path, { spec: { matchingPrecedence: 7000 } });
    await startAgain();
    expect(await precedence()).toBe(9000);
    const annotations = { 'apf.kubernetes.io/autoupdate-spec': 'false' };
    await send('PATCH', path, { metadata: { annotations }, spec: { matchingPrecedence: 7000 } });
    await startAgain();
    expect(await precedence()).toBe(7000);
  });

  it('can happen twice at the same time', async () => {
    await send('DELETE', `${rbac}/clusterroles/edit`);
    await send('DELETE', `${rbac}/clusterroles/view`);
    await Promise.all([startAgain(), startAgain(), startAgain()]);
    expect(objectAt(await send('GET', `${rbac}/clusterroles/edit`), 'metadata')?.name).toBe('edit');
  });
});

it('keeps the priority classes of the system', async () => {
  const path = '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical';
  expect(await send('DELETE', path)).toMatchObject({ code: 403, reason: 'Forbidden' });
});

describe('readiness', () => {
  const answer = (code: number, message: string): ApiError =>
    new ApiError(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, code, message });

  it('names each hook', async () => {
    const answer = await fetch(`${running().url}/readyz?verbose`);
    expect(await answer.text()).toContain('[+]poststarthook/rbac/bootstrap-roles ok');
  });

  it('waits for hooks', async () => {
    const hooks = defineHooks([{ name: 'slow', run: async () => {} }]);
    expect(hooks.checks.map(({ problem }) => problem())).toEqual(['not finished']);
    await hooks.run(partsOf(running()));
    expect(hooks.checks.map(({ problem }) => problem())).toEqual(['']);
  });

  it('waits for a hook that failed in the store, and tries it again', async () => {
    let isFull = true;
    const run = async (): Promise<void> => {
      if (isFull) throw answer(500, 'no space left on the device');
    };
    const hooks = defineHooks([{ name: 'writer', run }]);
    const problems: string[] = [];
    const states = () => hooks.checks.map(({ problem }) => problem());
    await expect(hooks.run(partsOf(running()))).rejects.toThrow('no space left');
    await hooks.run(partsOf(running()), (problem) => problems.push(problem));
    expect([problems, states()]).toEqual([['writer: no space left on the device'], ['not finished']]);
    vi.useFakeTimers();
    const end = hooks.repeat(partsOf(running()), (problem) => problems.push(problem));
    await vi.advanceTimersByTimeAsync(6_000);
    expect([problems.length, states()]).toEqual([2, ['not finished']]);
    isFull = false;
    await vi.advanceTimersByTimeAsync(6_000);
    expect([problems.length, states()]).toEqual([2, ['']]);
    end();
    vi.useRealTimers();
  });

  it('does not wait for a hook that fails for another reason', async () => {
    const run = async (): Promise<void> => {
      throw answer(422, 'it is wrong');
    };
    await expect(defineHooks([{ name: 'wrong', run }]).run(partsOf(running()), () => {})).rejects.toThrow(
      'it is wrong',
    );
  });

  it('does not stop a server if the hook only describes the server, and its data has all objects', async () => {
    const problems: string[] = [];
    const run = async (): Promise<void> => {
      throw new Error('it is refused');
    };
    const hooks = defineHooks([{ name: 'about', run, describesServer: true }]);
    hooks.skip();
    expect(hooks.checks.map(({ problem }) => problem())).toEqual(['not finished']);
    await hooks.run(partsOf(running()), (problem) => problems.push(problem));
    expect(problems).toEqual(['about: it is refused']);
    expect(hooks.checks.map(({ problem }) => problem())).toEqual(['']);
  });
});

describe('the service of the API', () => {
  it('is in the address range of services', async () => {
    const { url, stop } = await elsewhere('192.168.7.64/26,fd00::/112');
    const answer = await fetch(`${url}/api/v1/namespaces/default/services/kubernetes`).finally(stop);
    expect(await answer.json()).toMatchObject({ spec: { clusterIPs: ['192.168.7.65'], ipFamilies: ['IPv4'] } });
  });

  it('waits for its address if another service has it', async () => {
    const services = '/api/v1/namespaces/default/services';
    const address = stringAt(objectAt(await send('GET', `${services}/kubernetes`), 'spec'), 'clusterIP');
    await send('DELETE', `${services}/kubernetes`);
    const thief = { metadata: { name: 'thief' }, spec: { clusterIP: address, ports: [{ port: 80 }] } };
    expect(stringAt(objectAt(await send('POST', services, thief), 'spec'), 'clusterIP')).toBe(address);
    const started = startAgain();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await send('DELETE', `${services}/thief`);
    await started;
    expect(stringAt(objectAt(await send('GET', `${services}/kubernetes`), 'spec'), 'clusterIP')).toBe(address);
  }, 300_000);
});

describe('the kubernetes Service', () => {
  const inDefault = (group: string, plural: string): string => `${group}/namespaces/default/${plural}/kubernetes`;

  it('its service has an address that others reach, and the port', async () => {
    await startAgain();
    const { subsets } = await send('GET', inDefault('/api/v1', 'endpoints'));
    // A machine without a network has no address to print.
    if (subsets === undefined) return;
    expect(subsets).toEqual([
      {
        addresses: [{ ip: expect.not.stringMatching(/^(?:127\.|::1$)/) }],
        ports: [{ name: 'https', port: 6443, protocol: 'TCP' }],
      },
    ]);
    const slice = await send('GET', inDefault('/apis/discovery.k8s.io/v1', 'endpointslices'));
    expect(objectAt(slice, 'metadata')?.labels).toEqual({ 'kubernetes.io/service-name': 'kubernetes' });
    expect(slice).toMatchObject({ ports: [{ port: 6443 }], endpoints: [{ conditions: { ready: true } }] });
  });

  it('each built-in version has an APIService, which comes back at a start', async () => {
    const path = '/apis/apiregistration.k8s.io/v1/apiservices';
    const names = async (): Promise<readonly unknown[]> =>
      listed(await send('GET', path)).map((item) => objectAt(item, 'metadata')?.name);
    const before = await names();
    expect(before).toEqual(expect.arrayContaining(['v1.', 'v1.apps', 'v1.autoscaling', 'v2.autoscaling', 'v1.batch']));
    await send('DELETE', `${path}/v1.apps`);
    await startAgain();
    expect(new Set(await names())).toEqual(new Set(before));
    expect(await send('GET', `${path}/v1.`)).toMatchObject({
      metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' } },
      spec: { version: 'v1', groupPriorityMinimum: 18000, versionPriority: 1 },
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
    });
  });

  it('flow schemas report whether their priority level is missing', async () => {
    const dangling = async (name: string): Promise<unknown> => {
      const { conditions } = objectAt(await send('GET', `${flow}/flowschemas/${name}`), 'status') ?? {};
      const found = isArray(conditions)
        ? conditions.filter(isObject).find(({ type }) => type === 'Dangling')
        : undefined;
      return found && [found.status, found.reason];
    };
    const eventually = async (name: string, wanted: readonly string[]): Promise<void> => {
      await expect.poll(() => dangling(name)).toEqual(wanted);
    };
    await eventually('catch-all', ['False', 'Found']);
    expect(objectAt(await send('GET', `${flow}/flowschemas/catch-all`), 'metadata')?.managedFields).toContainEqual(
      expect.objectContaining({
        manager: 'api-priority-and-fairness-config-consumer-v1',
        operation: 'Apply',
        subresource: 'status',
      }),
    );
    const schema = (name: string): JsonObject => ({
      metadata: { name },
      spec: { matchingPrecedence: 5000, priorityLevelConfiguration: { name: 'later' } },
    });
    await send('POST', `${flow}/flowschemas`, schema('waits'));
    await eventually('waits', ['True', 'NotFound']);
    await send('POST', `${flow}/prioritylevelconfigurations`, {
      metadata: { name: 'later' },
      spec: { type: 'Exempt' },
    });
    await send('DELETE', `${flow}/flowschemas/waits`);
    await send('POST', `${flow}/flowschemas`, schema('finds'));
    const level = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
    await send('POST', `${flow}/prioritylevelconfigurations`, { metadata: { name: 'later' }, spec: level });
    await eventually('finds', ['False', 'Found']);
    await send('DELETE', `${flow}/prioritylevelconfigurations/later`);
    await eventually('finds', ['True', 'NotFound']);
  }, 300_000);
});
