/** Virtual kinds, which handlers answer for: reviews, tokens, evictions, bindings, and the scale of objects. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineServiceAccountTokens, defineTokenIssuer, deriveSigningKey } from '../../../../plugins/index.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../../runtime/objects/guards.js';
import { platformNaming as names } from '../../../../runtime/objects/names/naming.js';
import { type RuntimeConfig, readRuntimeConfig } from '../../../../runtime/registry/runtime-config.js';
import { conversions, kindHandlers, virtualHandlers } from '../../../../strategies/index.js';
import { registry } from '../../../support/built-in-modules.js';
import { startTestApi, type TestApi } from '../../../support/test-api.js';

const issuer = 'https://issuer.example.com';
const key = deriveSigningKey(Buffer.alloc(32, 7));
const namespace = '/api/v1/namespaces/default';
const authorization = '/apis/authorization.platform.io/v1';
const everyVersion = ((): RuntimeConfig => {
  const config = readRuntimeConfig('api/all=true');
  if (!config.ok) throw new Error(config.failure.message);
  return config.value;
})();

const authentication = '/apis/authentication.platform.io';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi(registry, {
    conversions,
    runtimeConfig: everyVersion,
    handlers: kindHandlers(names),
    virtualHandlers: virtualHandlers(names, {
      issuer: defineTokenIssuer({ issuer, key }),
      components: [{ name: 'storage', problem: () => '' }],
    }),
    authenticators: [defineServiceAccountTokens({ issuers: [issuer], keys: [key], audiences: [issuer], names })],
    audiences: [issuer],
  });
});

afterAll(async () => {
  expect(api.defects).toEqual([]);
  await api.close();
});

const post = (path: string, body: JsonObject) => api.send('POST', path, body, { 'content-type': 'application/json' });

const status = (body: JsonObject): JsonObject => objectAt(body, 'status') ?? {};

const pod = (name: string, labels: JsonObject = {}): JsonObject => ({
  metadata: { name, labels },
  spec: { containers: [{ name: 'main', image: 'image' }] },
});

describe('reviews', () => {
  it('say whether the caller may do something, and store nothing', async () => {
    const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
    const before = api.store.revision;
    const { code, body } = await post(`${authorization}/selfsubjectaccessreviews`, { spec });
    expect(code).toBe(201);
    expect(status(body)).toEqual({ allowed: true });
    expect(objectAt(body, 'metadata')?.creationTimestamp).toBeNull();
    expect(api.store.revision).toBe(before);
  });

  it('ask one question, about somebody', async () => {
    const { code, body } = await post(`${authorization}/subjectaccessreviews`, { spec: {} });
    expect(code).toBe(422);
    expect(stringAt(body, 'message')).toContain('exactly one of nonResourceAttributes or resourceAttributes');
    expect(stringAt(body, 'message')).toContain('at least one of user or group must be specified');
  });

  it('have no list, no table, and no other verb', async () => {
    expect((await api.send('GET', `${authorization}/subjectaccessreviews`)).code).toBe(405);
    const table = { accept: 'application/json;as=Table;g=meta.platform.io;v=v1', 'content-type': 'application/json' };
    expect((await api.send('POST', `${authentication}/v1beta1/selfsubjectreviews`, {}, table)).code).toBe(406);
  });
});

describe('tokens of service accounts', () => {
  it('are issued, recognized, and end with the account', async () => {
    await post(`${namespace}/serviceaccounts`, { metadata: { name: 'builder' } });
    const issued = await post(`${namespace}/serviceaccounts/builder/token`, { spec: { expirationSeconds: 600 } });
    expect(issued.code).toBe(201);
    const token = stringAt(status(issued.body), 'token');
    const review = () => post(`${authentication}/v1/tokenreviews`, { spec: { token } });
    const known = status((await review()).body);
    expect(known).toMatchObject({ authenticated: true, audiences: [issuer] });
    expect(stringAt(objectAt(known, 'user'), 'username')).toBe('system:serviceaccount:default:builder');
    await api.send('DELETE', `${namespace}/serviceaccounts/builder`);
    expect(status((await review()).body)).toEqual({
      user: {},
      error: '[invalid bearer token, serviceaccounts "builder" not found]',
    });
  });

  it('are refused where their header is no text', async () => {
    await post(`${namespace}/serviceaccounts`, { metadata: { name: 'whole' } });
    const issued = await post(`${namespace}/serviceaccounts/whole/token`, {});
    const token = `x${stringAt(status(issued.body), 'token')}`;
    const headers = { authorization: `Bearer ${token}` };
    expect((await api.send('GET', '/api/v1/namespaces', undefined, headers)).code).toBe(401);
  });

  it('live for ten minutes at least', async () => {
    await post(`${namespace}/serviceaccounts`, { metadata: { name: 'brief' } });
    const { code, body } = await post(`${namespace}/serviceaccounts/brief/token`, { spec: { expirationSeconds: 599 } });
    expect(code).toBe(422);
    expect(stringAt(body, 'message')).toContain('may not specify a duration less than 10 minutes');
  });
});

describe('subresources of pods', () => {
  it('bind a pod once', async () => {
    await post(`${namespace}/pods`, pod('bound'));
    const binding = { metadata: { name: 'bound' }, target: { kind: 'Node', name: 'n1' } };
    expect((await post(`${namespace}/pods/bound/binding?dryRun=All`, binding)).code).toBe(201);
    expect((await post(`${namespace}/pods/bound/binding`, binding)).code).toBe(201);
    const { code, body } = await post(`${namespace}/pods/bound/binding`, binding);
    expect([code, stringAt(body, 'message')]).toEqual([
      409,
      'Operation cannot be fulfilled on pods/binding "bound": pod bound is already assigned to node "n1"',
    ]);
  });

  it('evict a pod as often as its budget allows', async () => {
    const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
    for (const name of ['one', 'two']) await post(`${namespace}/pods`, pod(name, { app: 'guarded' }));
    await post(budgets, { metadata: { name: 'guard' }, spec: { selector: { matchLabels: { app: 'guarded' } } } });
    const patch = { 'content-type': 'application/merge-patch+json' };
    const allowed = {
      status: { observedGeneration: 1, disruptionsAllowed: 1, desiredHealthy: 1, currentHealthy: 2, expectedPods: 2 },
    };
    await api.send('PATCH', `${budgets}/guard/status`, allowed, patch);
    const running = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
    for (const name of ['one', 'two']) await api.send('PATCH', `${namespace}/pods/${name}/status`, running, patch);
    const evict = (name: string) => post(`${namespace}/pods/${name}/eviction`, { metadata: { name } });
    expect((await evict('one')).code).toBe(201);
    expect((await api.send('GET', `${namespace}/pods/one`)).code).toBe(404);
    const refused = await evict('two');
    expect(refused.code).toBe(429);
    expect(stringAt(refused.body, 'message')).toBe("Cannot evict pod as it would violate the pod's disruption budget.");
    const budget = status((await api.send('GET', `${budgets}/guard`)).body);
    expect(budget).toMatchObject({ disruptionsAllowed: 0, disruptedPods: { one: expect.any(String) } });
  });

  it('evict a pod of a node as soon as is asked for', async () => {
    const seated = pod('seated');
    await post(`${namespace}/pods`, { ...seated, spec: { ...objectAt(seated, 'spec'), nodeName: 'n1' } });
    const evict = (deleteOptions: JsonObject) =>
      post(`${namespace}/pods/seated/eviction`, { metadata: { name: 'seated' }, deleteOptions });
    const graceOf = async () => (await api.send('GET', `${namespace}/pods/seated`)).body.metadata;
    expect((await evict({})).code).toBe(201);
    expect(await graceOf()).toMatchObject({ deletionGracePeriodSeconds: 30 });
    expect((await evict({ gracePeriodSeconds: 7 })).code).toBe(201);
    expect(await graceOf()).toMatchObject({ deletionGracePeriodSeconds: 7 });
    expect((await evict({ gracePeriodSeconds: 0 })).code).toBe(201);
    expect((await api.send('GET', `${namespace}/pods/seated`)).code).toBe(404);
  });

  it('lead to no node', async () => {
    await post(`${namespace}/pods`, pod('waiting'));
    const { code, body } = await api.send('GET', `${namespace}/pods/waiting/exec?command=ls`);
    expect([code, stringAt(body, 'message')]).toEqual([400, 'pod waiting does not have a host assigned']);
    expect((await api.send('GET', `${namespace}/pods/none/log`)).code).toBe(404);
    expect((await api.send('GET', `${namespace}/services/none/proxy/a/b/c`)).code).toBe(404);
  });
});

describe('scale', () => {
  const scale = '/apis/apps/v1/namespaces/default/deployments/web/scale';

  it('is read and written as a Scale', async () => {
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template };
    await post('/apis/apps/v1/namespaces/default/deployments', { metadata: { name: 'web' }, spec });
    const read = await api.send('GET', scale);
    expect(read.body).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      spec: { replicas: 2 },
      status: { replicas: 0, selector: 'app=web' },
    });
    const patch = { 'content-type': 'application/merge-patch+json' };
    const changed = await api.send('PATCH', scale, { spec: { replicas: 5 } }, patch);
    expect([changed.code, objectAt(changed.body, 'spec')]).toEqual([200, { replicas: 5 }]);
    const deployment = await api.send('GET', scale.replace('/scale', ''));
    expect(objectAt(deployment.body, 'spec')?.replicas).toBe(5);
  });

  it('refuses a negative count, and a revision that is past', async () => {
    const patch = { 'content-type': 'application/merge-patch+json' };
    const negative = await api.send('PATCH', scale, { spec: { replicas: -1 } }, patch);
    expect([negative.code, stringAt(negative.body, 'message')]).toEqual([
      422,
      'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ]);
    const late = await api.send('PATCH', scale, { metadata: { resourceVersion: '1' }, spec: { replicas: 6 } }, patch);
    expect(late.code).toBe(409);
  });
});

describe('component statuses', () => {
  it('are made when they are asked for', async () => {
    const { body } = await api.send('GET', '/api/v1/componentstatuses/storage');
    expect(body.conditions).toEqual([{ type: 'Healthy', status: 'True', message: 'ok' }]);
    expect((await api.send('GET', '/api/v1/componentstatuses/none')).code).toBe(404);
  });
});
