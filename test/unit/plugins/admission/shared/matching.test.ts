import { describe, expect, it } from 'vitest';
import type { AdmissionAttributes, AdmissionContext, JsonObject } from '../../../../../runtime/contract/index.js';
import { emulate } from '../../../../../runtime/objects/release.js';
import { configMaps, contextWith, namespaces, object, write } from '../attributes.js';
import {
  aboutConfigMaps,
  binding,
  configMap,
  limits,
  olderWidgets,
  policy,
  saying,
  serve,
  widgets,
} from '../validating-policy/policies.js';

const create = (data?: Record<string, string>, name = 'a', more: JsonObject = {}): AdmissionAttributes =>
  write({ name, object: configMap(data, name, more) });

/** Returns whether a policy that refuses everything matches a request. */
async function isAbout(match: JsonObject, attributes: AdmissionAttributes): Promise<boolean> {
  const { ask } = serve([policy({ matchConstraints: match, validations: [{ expression: 'false' }] })]);
  const labelled = { get: () => object({ metadata: { name: 'team', labels: { area: 'north' } } }) };
  return (await ask(attributes, labelled)).failure !== undefined;
}

const rule = (more: JsonObject): JsonObject => ({ resourceRules: [{ ...aboutConfigMaps, ...more }] });

describe('resource rules', () => {
  it.each<[string, JsonObject, boolean]>([
    ['everything', { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }, true],
    ['everything and its subresources', { resources: ['*/*'] }, true],
    ['subresources alone', { resources: ['*/status'] }, false],
    ['another operation', { operations: ['UPDATE', 'DELETE'] }, false],
    ['this operation among others', { operations: ['UPDATE', 'CREATE'] }, true],
    ['another group', { apiGroups: ['apps'] }, false],
    ['another version', { apiVersions: ['v2'] }, false],
    ['another resource', { resources: ['secrets'] }, false],
    ['what is in namespaces', { scope: 'Namespaced' }, true],
    ['what is in none', { scope: 'Cluster' }, false],
    ['its name', { resourceNames: ['b', 'a'] }, true],
    ['other names', { resourceNames: ['b'] }, false],
  ])('about %s', async (_, more, about) => expect(await isAbout(rule(more), create())).toBe(about));

  it('leave out excluded requests', async () => {
    const exclude = { ...rule({}), excludeResourceRules: [{ ...aboutConfigMaps, resourceNames: ['spared'] }] };
    expect(await isAbout(exclude, create())).toBe(true);
    expect(await isAbout(exclude, create({}, 'spared'))).toBe(false);
    expect(await isAbout({ ...rule({}), excludeResourceRules: [aboutConfigMaps] }, create())).toBe(false);
  });

  it('name subresources', async () => {
    const painted = rule({ apiGroups: ['shop.example.com'], resources: ['widgets/paint'] });
    const attributes = write({ resource: widgets, object: object({ apiVersion: 'shop.example.com/v1' }) });
    expect(await isAbout(painted, { ...attributes, subresource: 'paint' })).toBe(true);
    expect(await isAbout(painted, { ...attributes, subresource: 'status' })).toBe(false);
    expect(await isAbout(painted, attributes)).toBe(false);
  });
});

describe('selectors', () => {
  it('of objects check both states', async () => {
    const selector = { objectSelector: { matchLabels: { pick: 'me' } } };
    const picked = { labels: { pick: 'me' } };
    expect(await isAbout(selector, create({}, 'a', picked))).toBe(true);
    expect(await isAbout(selector, create())).toBe(false);
    const freed = write({ operation: 'UPDATE', object: configMap(), oldObject: configMap({}, 'a', picked) });
    expect(await isAbout(selector, freed)).toBe(true);
  });

  it('of namespaces check the namespace, or the one that is written', async () => {
    const north = { namespaceSelector: { matchLabels: { area: 'north' } } };
    const south = { namespaceSelector: { matchLabels: { area: 'south' } } };
    expect([await isAbout(north, create()), await isAbout(south, create())]).toEqual([true, false]);
    const all = { resourceRules: [{ ...aboutConfigMaps, resources: ['*'] }] };
    const made = write({
      resource: namespaces,
      namespace: '',
      object: object({ metadata: { labels: { area: 'south' } } }),
    });
    expect(await isAbout({ ...all, ...south }, made)).toBe(true);
    expect(await isAbout({ ...all, ...north }, made)).toBe(false);
    expect(
      await isAbout({ ...all, ...north }, write({ resource: namespaces, namespace: '', operation: 'DELETE' })),
    ).toBe(true);
    const anywhere = { resourceRules: [{ ...aboutConfigMaps, apiGroups: ['*'], resources: ['*'] }], ...south };
    expect(await isAbout(anywhere, write({ resource: limits, namespace: '' }))).toBe(true);
  });

  it('report a missing namespace', async () => {
    const match = { namespaceSelector: { matchLabels: { area: 'north' } } };
    const { ask } = serve([policy({ matchConstraints: match, validations: [{ expression: 'true' }] })]);
    const { failure } = await ask({ ...create(), namespace: 'nowhere' });
    expect(failure?.message).toBe(
      `configmaps "a" is forbidden: ValidatingAdmissionPolicy 'rule.example.com' denied request: failed to configure policy: namespaces "nowhere" not found`,
    );
  });

  it('of bindings narrow the selection', async () => {
    const no = policy({ validations: [{ expression: 'false', message: 'no' }] });
    const match = { resourceRules: [{ ...aboutConfigMaps, resourceNames: ['bound'] }] };
    const { ask } = serve([no], [binding({ matchResources: match })]);
    expect(saying(await ask(create({}, 'bound')))).toBe('no');
    expect((await ask(create())).failure).toBeUndefined();
    const elsewhere = serve(
      [no],
      [binding({ matchResources: { resourceRules: [{ ...aboutConfigMaps, operations: ['DELETE'] }] } })],
    );
    expect((await elsewhere.ask(create({}, 'bound'))).failure).toBeUndefined();
  });
});

describe('other versions', () => {
  const about = (matchPolicy: string): JsonObject => ({
    ...rule({ apiGroups: ['shop.example.com'], resources: ['widgets'] }),
    matchPolicy,
  });
  const shown = "object.apiVersion + ' ' + request.kind.version + ' ' + request.resource.version";
  const validations = [{ expression: 'false', messageExpression: shown }];
  const attributes = write({
    resource: olderWidgets,
    object: object({ apiVersion: 'shop.example.com/v1beta1', kind: 'Widget' }),
  });
  const convert = (one: ReturnType<typeof object>, apiVersion: string) =>
    ({ ok: true, value: { ...one, apiVersion } }) as const;

  it('match equivalent versions, and see the named version', async () => {
    const { ask } = serve([policy({ matchConstraints: about('Equivalent'), validations })]);
    expect(saying(await ask(attributes, { convert }))).toBe('shop.example.com/v1 v1beta1 v1beta1');
  });

  it('are the kind and resource of the request after release 1.27', async () => {
    const versions = (variable: string): string => `${variable}.version + ' ' +`;
    const told = ['kind', 'requestKind', 'resource'].map((name) => versions(`request.${name}`)).join(' ');
    const constrained = {
      matchConstraints: about('Equivalent'),
      matchConditions: [
        { name: 'kind', expression: "request.kind.version == 'v1'" },
        { name: 'resource', expression: "request.resource.version == 'v1beta1'" },
      ],
      validations: [{ expression: 'false', messageExpression: `${told} request.requestResource.version` }],
    };
    const { ask } = serve([policy(constrained)], [binding()], emulate('1.28'));
    expect(saying(await ask(attributes, { convert }))).toBe('v1 v1beta1 v1 v1beta1');
  });

  it('match no other version if the policy is exact', async () => {
    const { ask } = serve([policy({ matchConstraints: about('Exact'), validations })]);
    expect((await ask(attributes, { convert })).failure).toBeUndefined();
  });
});

describe('conditions', () => {
  const asked = (failurePolicy: string, ...expressions: string[]) =>
    serve([
      policy({
        failurePolicy,
        matchConditions: expressions.map((expression, i) => ({ name: `c${i}`, expression })),
        validations: [{ expression: 'false', message: 'reached' }],
      }),
    ]);
  const absent = "object.data.absent == 'x'";
  const mistake = (text: string): string => `expression '${text}' resulted in error: no such key: absent`;

  it.each<[string, string[], string | undefined]>([
    ['all hold', ['true', 'object.metadata.name == request.name'], 'reached'],
    ['one does not', ['true', 'false'], undefined],
    ['one does not and another fails', [absent, 'false'], undefined],
    ['one fails', ['true', absent], mistake(absent)],
    [
      'two fail',
      [absent, "object.data.absent == 'y'"],
      `[${mistake(absent)}, ${mistake("object.data.absent == 'y'")}]`,
    ],
  ])('if %s', async (_, expressions, said) =>
    expect(saying(await asked('Fail', ...expressions).ask(create({ a: 'b' })))).toBe(said),
  );

  it('are skipped on failure if failures are ignored', async () =>
    expect((await asked('Ignore', absent).ask(create({}))).failure).toBeUndefined());
});

describe('parameters', () => {
  const validations = [{ expression: 'object.data.n in params.data.allowed.split(",")', message: 'not allowed' }];
  const inTeam = { paramRef: { name: 'allowed', namespace: 'team' } };
  const params = configMap({ allowed: 'a,b' }, 'allowed');
  const get = (_: string, resource: string, namespace: string, name: string) =>
    resource === configMaps.names.plural && namespace === 'team' && name === 'allowed' ? params : undefined;
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const ask = async (bound: JsonObject, spec: JsonObject = {}, n = 'c') =>
    saying(await serve([policy({ paramKind, validations, ...spec })], [binding(bound)]).ask(create({ n }), { get }));

  it('are available in expressions', async () => {
    expect(await ask(inTeam)).toBe('not allowed');
    expect(await ask(inTeam, {}, 'b')).toBeUndefined();
  });

  it('are null if the binding names none', async () =>
    expect(await ask({})).toContain('resulted in error: no such key: data'));

  it.each<[string, JsonObject]>([
    ['are not there', { name: 'missing', namespace: 'team' }],
    ['are in a namespace that is not named', { name: 'allowed' }],
  ])('refuse if they %s, unless that is ignored', async (_, paramRef) => {
    expect(await ask({ paramRef })).toBe(`failed to configure binding: ${paramRef.name} not found`);
    expect(await ask({ paramRef }, { failurePolicy: 'Ignore' })).toBeUndefined();
  });

  it('of a cluster-scoped kind are not searched in a namespace', async () => {
    const spec = {
      paramKind: { apiVersion: 'shop.example.com/v1', kind: 'Limit' },
      validations: [{ expression: 'true' }],
    };
    const limit = object({ apiVersion: 'shop.example.com/v1', kind: 'Limit' });
    const given = async (paramRef: JsonObject) =>
      saying(await serve([policy(spec)], [binding({ paramRef })]).ask(create(), { get: () => limit }));
    expect(await given({ name: 'most' })).toBeUndefined();
    expect(await given({ name: 'most', namespace: 'team' })).toBe('failed to configure binding: most not found');
  });

  it('refuse if their kind is not served', async () => {
    const unknown = { paramKind: { apiVersion: 'rules.example.com/v1', kind: 'Rule' } };
    const said =
      "failed to configure policy: failed to find resource referenced by paramKind: 'rules.example.com/v1, Kind=Rule'";
    expect(await ask(inTeam, unknown)).toBe(said);
  });

  it('come in the version that the policy asks for', async () => {
    const spec = {
      paramKind: { apiVersion: 'shop.example.com/v1beta1', kind: 'Widget' },
      validations: [{ expression: 'false', messageExpression: 'params.apiVersion' }],
    };
    const { ask: request } = serve([policy(spec)], [binding({ paramRef: { name: 'w', namespace: 'team' } })]);
    const stored = object({ apiVersion: 'shop.example.com/v1', kind: 'Widget' });
    const led = await request(create(), {
      get: () => stored,
      convert: (one, apiVersion) => ({ ok: true, value: { ...one, apiVersion } }),
    });
    expect(saying(led)).toBe('shop.example.com/v1beta1');
  });
});

describe('the authorizer', () => {
  const shown = (expression: string) => serve([policy({ validations: [{ expression, message: 'no' }] })]);
  const reader = contextWith(
    {},
    ({ verb, resource, name, namespace }) =>
      verb === 'get' && resource === 'secrets' && name === 'x' && namespace === 'team',
  );

  it.each([
    ["authorizer.group('').resource('secrets').namespace('team').name('x').check('get').allowed()", true],
    ["authorizer.group('').resource('secrets').namespace('team').name('y').check('get').allowed()", false],
    ["authorizer.requestResource.check('create').allowed()", false],
    ["authorizer.path('/healthz').check('get').allowed()", true],
  ])('answers %s', async (expression, allowed) => {
    const { failure } = await shown(expression).ask(create(), { decide: reader.decide });
    expect(failure === undefined).toBe(allowed);
  });

  it('may be slow', async () => {
    let asked = 0;
    const decide = async () => {
      asked++;
      await new Promise((resolve) => setTimeout(resolve, 1));
      return { decision: 'no opinion', reason: 'late' } as const;
    };
    const first =
      "authorizer.path('/a').check('get').reason() != 'late' || authorizer.path('/b').check('get').allowed()";
    const second = "authorizer.path('/a').check('get').allowed()";
    const validations = [first, second].map((expression, i) => ({ expression, message: `no ${i}` }));
    const { warnings } = await serve([policy({ validations })], [binding({ validationActions: ['Warn'] })]).ask(
      create(),
      {
        decide,
      },
    );
    expect(warnings.map((text) => text.replace(/^.*: /, ''))).toEqual(['no 0', 'no 1']);
    expect(asked).toBe(2);
  });

  it('cannot be called more than twice in an expression', async () => {
    const check = "authorizer.path('/a').check('get').allowed()";
    expect((await shown(`${check} && ${check}`).ask(create())).failure).toBeUndefined();
    expect(saying(await shown(`${check} && ${check} && ${check}`).ask(create()))).toContain(
      'actual cost limit exceeded',
    );
  });
});

describe('parameters after release 1.27', () => {
  const one = configMap({ deny: '1' }, 'one', { labels: { role: 'param' } });
  const two = configMap({ deny: '2' }, 'two', { labels: { role: 'param' } });
  const other = configMap({ deny: '3' }, 'other');
  const list = () => [one, two, other];
  const get = (_: string, resource: string, __: string, name: string) =>
    resource === 'configmaps' ? list().find(({ metadata }) => metadata.name === name) : undefined;
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const validations = [{ expression: 'object.data.n != params.data.deny', messageExpression: 'params.metadata.name' }];
  const ask = async (paramRef: JsonObject, n: string, stored: Partial<AdmissionContext> = { get, list }) => {
    const served = serve([policy({ paramKind, validations })], [binding({ paramRef })], emulate('1.30'));
    return saying(await served.ask(create({ n }), stored));
  };
  const selector = { matchLabels: { role: 'param' } };

  it('are all objects that a selector selects, in the namespace of the request', async () => {
    expect(await ask({ selector, parameterNotFoundAction: 'Deny' }, '2')).toBe('two');
    expect(await ask({ selector, parameterNotFoundAction: 'Deny' }, '3')).toBeUndefined();
    expect(await ask({ name: 'other', parameterNotFoundAction: 'Deny' }, '3')).toBe('other');
  });

  it('may be missing if the binding allows it', async () => {
    const none = { get: () => undefined, list: () => [] };
    expect(await ask({ selector, parameterNotFoundAction: 'Allow' }, '1', none)).toBeUndefined();
    expect(await ask({ name: 'one', parameterNotFoundAction: 'Deny' }, '1', none)).toBe(
      'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
    );
  });
});

describe('variables of a policy', () => {
  const ask = async (spec: JsonObject, data: Record<string, string>) =>
    saying(await serve([policy(spec)], undefined, emulate('1.30')).ask(create(data)));
  const variables = [
    { name: 'size', expression: 'object.data.size()' },
    { name: 'broken', expression: 'object.data.absent' },
    { name: 'twice', expression: 'variables.size * 2' },
  ];

  it('are evaluated on first use, after earlier ones', async () => {
    const spec = {
      variables,
      validations: [{ expression: 'variables.twice > 2', messageExpression: "'has ' + string(variables.size)" }],
    };
    expect(await ask(spec, { a: 'b' })).toBe('has 1');
    expect(await ask(spec, { a: 'b', c: 'd' })).toBeUndefined();
  });

  it('fail the expression that uses them', async () => {
    const spec = { variables, validations: [{ expression: "variables.broken == 'x'" }] };
    expect(await ask(spec, { a: 'b' })).toBe(
      `expression 'variables.broken == 'x'' resulted in error: composited variable "broken" fails to evaluate: no such key: absent`,
    );
  });

  it('are available with the namespace of the object', async () => {
    const spec = { validations: [{ expression: "namespaceObject.status.phase != 'Active'", message: 'in team' }] };
    expect(await ask(spec, {})).toBe('in team');
  });
});
