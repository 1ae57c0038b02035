/** Virtual kinds, which handlers serve: reviews, tokens, evictions, bindings, and the scale of objects. */
import { describe, expect, it } from 'vitest';
import { defineServiceAccountTokens, defineTokenIssuer, deriveSigningKey } from '../../../../plugins/index.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../../runtime/objects/guards.js';
import { platformNaming as names } from '../../../../runtime/objects/names/naming.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { conversions, kindHandlers, virtualHandlers } from '../../../../strategies/index.js';
import { registry } from '../../../support/built-in-modules.js';
import { everyVersion } from '../../../support/kind-api.js';
import { startTestApi, suiteApi } from '../../../support/test-api.js';

const issuer = 'https://issuer.example.com';
const key = deriveSigningKey(Buffer.alloc(32, 7));
const namespace = '/api/v1/namespaces/default';
const authorization = '/apis/authorization.platform.io/v1';

const authentication = '/apis/authentication.platform.io';

const api = await suiteApi(registry, {
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

const post = (path: string, body: JsonObject) => api.send('POST', path, body);

const status = (body: JsonObject): JsonObject => objectAt(body, 'status') ?? {};

const pod = (name: string, labels: JsonObject = {}): JsonObject => ({
  metadata: { name, labels },
  spec: { containers: [{ name: 'main', image: 'image' }] },
});

describe('reviews', () => {
  it('answer whether the caller may do something, and store nothing', async () => {
    const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
    const before = api.store.revision;
    const { code, body } = await post(`${authorization}/selfsubjectaccessreviews`, { spec });
    expect(code).toBe(201);
    expect(status(body)).toEqual({ allowed: true });
    expect(objectAt(body, 'metadata')?.creationTimestamp).toBeNull();
    expect(api.store.revision).toBe(before);
  });

  it('ask one question, about any user', async () => {
    const { code, body } = await post(`${authorization}/subjectaccessreviews`, { spec: {} });
    expect(code).toBe(422);
    expect(stringAt(body, 'message')).toContain('exactly one of nonResourceAttributes or resourceAttributes');
    expect(stringAt(body, 'message')).toContain('at least one of user or group must be specified');
  });

  it.each([
    [{ fieldSelector: { rawSelector: 'a=b' } }, undefined],
    [{ labelSelector: { requirements: [{ key: 'a', operator: 'Exists' }] } }, undefined],
    [{ fieldSelector: { rawSelector: '(' } }, 'fieldSelector ignored due to parse error'],
    [
      {
        labelSelector: {
          requirements: [
            { key: 'a', operator: 'Exists' },
            { key: 'a', operator: 'Gt', values: ['1'] },
          ],
        },
      },
      'labelSelector partially ignored due to parse error',
    ],
  ])('of a question with %j', async (selectors, problem) => {
    const spec = { resourceAttributes: { verb: 'list', resource: 'pods', ...selectors } };
    const { body } = await post(`${authorization}/selfsubjectaccessreviews`, { spec });
    expect(objectAt(body, 'spec')).toEqual(spec);
    const evaluationError = problem && `spec.resourceAttributes.${problem}`;
    expect(status(body)).toEqual({ allowed: true, ...(evaluationError ? { evaluationError } : {}) });
  });

  it.each([
    [{ fieldSelector: {} }, 'Selector.requirements: Required value: when spec'],
    [
      { labelSelector: { rawSelector: 'a', requirements: [{ key: 'a', operator: 'Exists' }] } },
      'Selector.rawSelector: Invalid value: "a": may not specified at the same time as requirements',
    ],
    [
      { fieldSelector: { requirements: [{ key: '', operator: 'In', values: [] }] } },
      'requirements[0].key: Required value: must be specified',
    ],
    [
      { fieldSelector: { requirements: [{ key: 'a', operator: 'Exists', values: ['b'] }] } },
      "requirements[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ],
    [
      { labelSelector: { requirements: [{ key: 'a b', operator: 'Exists' }] } },
      'requirements[0].key: Invalid value: "a b": name part must consist of',
    ],
  ])('refuse %j', async (selectors, problem) => {
    const spec = { resourceAttributes: { verb: 'list', resource: 'pods', ...selectors } };
    const { code, body } = await post(`${authorization}/selfsubjectaccessreviews`, { spec });
    expect([code, stringAt(body, 'message')]).toEqual([422, expect.stringContaining(problem)]);
  });

  it('have no selectors without their gate', async () => {
    const spec = { resourceAttributes: { verb: 'list', fieldSelector: {} } };
    const review = { apiVersion: 'v1', kind: 'SelfSubjectAccessReview', metadata: {}, spec };
    const [handler] = virtualHandlers(names).filter(({ resource }) => resource === 'selfsubjectaccessreviews');
    const check = (isOn: boolean) => handler?.check?.(review, { featureEnabled: () => isOn } as never);
    expect(await check(true)).toMatchObject({ reason: 'Invalid' });
    expect(await check(false)).toBeUndefined();
    expect(review.spec).toEqual({ resourceAttributes: { verb: 'list' } });
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

  it('for a node end with it, and tokens for a pod name its node', async () => {
    const notes: (readonly [key: string, value: string])[] = [];
    const later = await startTestApi(registry, {
      conversions,
      handlers: kindHandlers(names),
      release: emulate('latest'),
      virtualHandlers: virtualHandlers(names, { issuer: defineTokenIssuer({ issuer, key }) }),
      authenticators: [defineServiceAccountTokens({ issuers: [issuer], keys: [key], audiences: [issuer], names })],
      audiences: [issuer],
      onAuditNote: (key, value) => notes.push([key, value]),
    });
    const make = (path: string, body: JsonObject) => later.send('POST', path, body);
    const tokenFor = async (kind: string, name: string) => {
      const boundObjectRef = { apiVersion: 'v1', kind, name };
      const { code, body } = await make(`${namespace}/serviceaccounts/robot/token`, { spec: { boundObjectRef } });
      return code === 201 ? stringAt(status(body), 'token') : stringAt(body, 'message');
    };
    const review = async (token: string) =>
      status((await make(`${authentication}/v1/tokenreviews`, { spec: { token } })).body);
    await make(`${namespace}/serviceaccounts`, { metadata: { name: 'robot' } });
    expect(await tokenFor('Node', 'n1')).toBe('nodes "n1" not found');
    const node = await make('/api/v1/nodes', { metadata: { name: 'n1' } });
    const nodeUid = stringAt(objectAt(node.body, 'metadata'), 'uid');
    const spec = { serviceAccountName: 'robot', nodeName: 'n1', containers: [{ name: 'main', image: 'image' }] };
    await make(`${namespace}/pods`, { metadata: { name: 'there' }, spec });
    await make(`${namespace}/pods`, { metadata: { name: 'lost' }, spec: { ...spec, nodeName: 'n2' } });
    const extraOf = async (token: string) => objectAt(objectAt(await review(token), 'user'), 'extra');
    const extra = (part: string) => `authentication.platform.io/${part}`;
    const [ofNode, ofPod, ofLost] = [
      await tokenFor('Node', 'n1'),
      await tokenFor('Pod', 'there'),
      await tokenFor('Pod', 'lost'),
    ];
    const claims = JSON.parse(Buffer.from(ofNode.split('.')[1] ?? '', 'base64url').toString());
    expect(notes[0]).toEqual([extra('issued-credential-id'), `JTI=${claims.jti}`]);
    const onNode = { [extra('node-name')]: ['n1'], [extra('node-uid')]: [nodeUid] };
    expect(await extraOf(ofNode)).toEqual({ [extra('credential-id')]: [expect.stringMatching(/^JTI=/)], ...onNode });
    expect(await extraOf(ofPod)).toMatchObject({ [extra('pod-name')]: ['there'], ...onNode });
    expect(await extraOf(ofLost)).toMatchObject({ [extra('node-name')]: ['n2'] });
    expect(await extraOf(ofLost)).not.toHaveProperty([extra('node-uid')]);
    await later.send('DELETE', '/api/v1/nodes/n1');
    const ended = '[invalid bearer token, service account token has been invalidated]';
    expect((await review(ofNode)).error).toBe(ended);
    expect((await review(ofPod)).authenticated).toBe(true);
    await later.close();
  });

  it('are not for nodes in release 1.27', async () => {
    await post(`${namespace}/serviceaccounts`, { metadata: { name: 'early' } });
    const spec = { boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: 'n1' } };
    const { code, body } = await post(`${namespace}/serviceaccounts/early/token`, { spec });
    expect([code, stringAt(body, 'message')]).toEqual([400, 'cannot bind token to object of type /v1, Kind=Node']);
  });

  it('are refused if their header is not text', async () => {
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

  it('remove the nomination of the pod, if the gate for it is on', async () => {
    const nominations = [true, false].map(async (isOn) => {
      const other = await startTestApi(registry, {
        conversions,
        featureEnabled: (gate) => isOn && gate === 'ClearingNominatedNodeNameAfterBinding',
        handlers: kindHandlers(names),
        virtualHandlers: virtualHandlers(names),
      });
      const send = (method: string, path: string, body: JsonObject) =>
        other.send(method, `${namespace}/pods${path}`, body);
      await send('POST', '', pod('a'));
      await send('PATCH', '/a/status', { status: { nominatedNodeName: 'n' } });
      await send('POST', '/a/binding', { metadata: { name: 'a' }, target: { name: 'n' } });
      const { body } = await other.send('GET', `${namespace}/pods/a`);
      await other.close();
      return [objectAt(body, 'spec')?.nodeName, status(body).nominatedNodeName];
    });
    expect(await Promise.all(nominations)).toEqual([
      ['n', undefined],
      ['n', 'n'],
    ]);
  });

  it('evict a pod as often as its budget allows', async () => {
    const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
    for (const name of ['one', 'two']) await post(`${namespace}/pods`, pod(name, { app: 'guarded' }));
    await post(budgets, { metadata: { name: 'guard' }, spec: { selector: { matchLabels: { app: 'guarded' } } } });
    const allowed = {
      status: { observedGeneration: 1, disruptionsAllowed: 1, desiredHealthy: 1, currentHealthy: 2, expectedPods: 2 },
    };
    await api.send('PATCH', `${budgets}/guard/status`, allowed);
    const running = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
    for (const name of ['one', 'two']) await api.send('PATCH', `${namespace}/pods/${name}/status`, running);
    const evict = (name: string) => post(`${namespace}/pods/${name}/eviction`, { metadata: { name } });
    expect((await evict('one')).code).toBe(201);
    expect((await api.send('GET', `${namespace}/pods/one`)).code).toBe(404);
    const refused = await evict('two');
    expect(refused.code).toBe(429);
    expect(stringAt(refused.body, 'message')).toBe("Cannot evict pod as it would violate the pod's disruption budget.");
    const budget = status((await api.send('GET', `${budgets}/guard`)).body);
    expect(budget).toMatchObject({ disruptionsAllowed: 0, disruptedPods: { one: expect.any(String) } });
  });

  it('evict a pod of a node after the shortest requested time', async () => {
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

  it('do not forward to nodes', async () => {
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
    const changed = await api.send('PATCH', scale, { spec: { replicas: 5 } });
    expect([changed.code, objectAt(changed.body, 'spec')]).toEqual([200, { replicas: 5 }]);
    const deployment = await api.send('GET', scale.replace('/scale', ''));
    expect(objectAt(deployment.body, 'spec')?.replicas).toBe(5);
  });

  it('refuses a negative count, and an old revision', async () => {
    const negative = await api.send('PATCH', scale, { spec: { replicas: -1 } });
    expect([negative.code, stringAt(negative.body, 'message')]).toEqual([
      422,
      'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ]);
    const late = await api.send('PATCH', scale, { metadata: { resourceVersion: '1' }, spec: { replicas: 6 } });
    expect(late.code).toBe(409);
  });
});

describe('component statuses', () => {
  it('are made on request', async () => {
    const { body } = await api.send('GET', '/api/v1/componentstatuses/storage');
    expect(body.conditions).toEqual([{ type: 'Healthy', status: 'True', message: 'ok' }]);
    expect((await api.send('GET', '/api/v1/componentstatuses/none')).code).toBe(404);
  });
});
