import { describe, expect, it } from 'vitest';
import { defineValidatingAdmissionPolicy } from '../../../../../plugins/index.js';
import { platformNaming } from '../../../../../runtime/objects/names/naming.js';
import { hostOf } from '../../../../support/admission-host.js';
import { testAdmissionPlugin } from '../../../../support/admission-suite.js';
import { contextWith, write } from '../attributes.js';
import { binding, bindingModule, configMap, modules, policy, policyModule, saying, serve } from './policies.js';

const noSecrets = policy({
  validations: [
    { expression: "!has(object.data) || !('secret' in object.data)", message: 'no secrets', reason: 'Forbidden' },
  ],
});
const create = (data?: Record<string, string>, name = 'a') => write({ name, object: configMap(data, name) });

testAdmissionPlugin({
  plugin: serve([noSecrets]).plugin,
  admitted: create({ a: 'b' }),
  refused: create({ secret: 'x' }),
  context: contextWith({ team: 'Active' }),
  words: ['data', 'secret'],
});

describe('a policy', () => {
  it('refuses with message, reason and cause', async () => {
    const { failure } = await serve([noSecrets]).ask(create({ secret: 'x' }));
    const text = "ValidatingAdmissionPolicy 'rule.example.com' with binding 'bound' denied request: no secrets";
    expect(failure).toEqual({
      reason: 'Forbidden',
      code: 403,
      message: `configmaps "a" is forbidden: ${text}`,
      details: { name: 'a', group: '', kind: 'configmaps', causes: [{ message: text }] },
    });
  });

  it('does nothing without a binding', async () => {
    expect((await serve([noSecrets], []).ask(create({ secret: 'x' }))).failure).toBeUndefined();
    expect(
      (await serve([noSecrets], [binding({}, 'b', 'other')]).ask(create({ secret: 'x' }))).failure,
    ).toBeUndefined();
  });

  it.each([
    ['', 'Invalid', 422],
    ['Invalid', 'Invalid', 422],
    ['RequestEntityTooLarge', 'RequestEntityTooLarge', 413],
    ['Unauthorized', 'Unauthorized', 401],
  ])('with %j as its reason answers %s, %i', async (reason, answered, code) => {
    const { failure } = await serve([policy({ validations: [{ expression: 'false', reason }] })]).ask(create());
    expect(failure).toMatchObject({ reason: answered, code });
  });

  it.each([
    [{ message: ' fixed ' }, 'fixed'],
    [{ messageExpression: "'no ' + object.metadata.name", message: 'unused' }, 'no a'],
    [{ messageExpression: "' '", message: 'fallback' }, 'fallback'],
    [{ messageExpression: "'a\\nb'", message: 'fallback' }, 'fallback'],
    [{ messageExpression: 'object.data.absent', message: 'fallback' }, 'fallback'],
    [{ messageExpression: "'x'.replace('x', object.data.long)" }, 'failed expression: false'],
    [{}, 'failed expression: false'],
  ])('with %j has the message %j', async (words, said) => {
    const { ask } = serve([policy({ validations: [{ expression: ' false ', ...words }] })]);
    expect(saying(await ask(create({ long: 'y'.repeat(5121) })))).toBe(said);
  });

  it('sees the request', async () => {
    const shown =
      "request.operation + ' ' + request.name + ' ' + request.namespace + ' ' + request.kind.kind + ' ' + request.resource.resource + ' ' + request.userInfo.username + ' ' + string(request.dryRun) + ' ' + request.options.kind";
    const { ask } = serve([policy({ validations: [{ expression: 'false', messageExpression: shown }] })]);
    const led = await ask({ ...create(), dryRun: true, options: { kind: 'CreateOptions' } });
    expect(saying(led)).toBe('CREATE a team ConfigMap configmaps someone true CreateOptions');
  });

  it('finds no value of a field that the request lacks', async () => {
    const shown =
      "['subResource', 'uid', 'groups', 'extra'].join() + string([has(request.subResource), has(request.userInfo.uid), has(request.userInfo.groups), has(request.userInfo.extra)].exists(x, x))";
    const { ask } = serve([policy({ validations: [{ expression: 'false', messageExpression: shown }] })]);
    expect(saying(await ask(create()))).toBe('subResourceuidgroupsextrafalse');
  });

  it('sees the new and the old object, if there are any', async () => {
    const shown = 'string(object == null) + string(oldObject == null)';
    const { ask } = serve([policy({ validations: [{ expression: 'false', messageExpression: shown }] })]);
    const objects = { object: configMap(), oldObject: configMap() };
    expect(saying(await ask(write({ object: objects.object })))).toBe('falsetrue');
    expect(saying(await ask(write({ operation: 'UPDATE', ...objects })))).toBe('falsefalse');
    expect(saying(await ask(write({ operation: 'DELETE', oldObject: objects.oldObject })))).toBe('truefalse');
  });

  it('refuses if it cannot be evaluated, unless failures are ignored', async () => {
    const validations = [{ expression: "object.data.absent == 'x'" }];
    const said = "expression 'object.data.absent == 'x'' resulted in error: no such key: data";
    expect(saying(await serve([policy({ validations })]).ask(create()))).toBe(said);
    const lenient = serve([policy({ validations, failurePolicy: 'Ignore' })]);
    expect((await lenient.ask(create())).failure).toBeUndefined();
    expect((await lenient.ask(create({ absent: 'y' }))).failure?.reason).toBe('Invalid');
  });

  it('stops at its budget', async () => {
    const costly = 'object.data.all(a, object.data.all(b, object.data[a] == object.data[b]))';
    const data = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`k${i}`, 'v']));
    const one = await serve([policy({ validations: [{ expression: costly }] })]).ask(create(data));
    expect(saying(one)).toBe(
      `expression '${costly}' resulted in error: operation cancelled: actual cost limit exceeded`,
    );
    const many = Array.from({ length: 12 }, () => ({ expression: costly }));
    expect(saying(await serve([policy({ validations: many })]).ask(create(data)))).toBe(
      'validation failed due to running out of cost budget, no further validation rules will be run',
    );
  });

  it('comes into force, changes and ends with its objects', async () => {
    const { host, ask } = serve([]);
    const refused = async (): Promise<string | undefined> => saying(await ask(create()));
    expect(await refused()).toBeUndefined();
    host.put('validatingadmissionpolicies', policy({ validations: [{ expression: 'false', message: 'one' }] }));
    expect(await refused()).toBe('one');
    host.put('validatingadmissionpolicies', policy({ validations: [{ expression: 'false', message: 'two' }] }));
    expect(await refused()).toBe('two');
    host.remove('validatingadmissionpolicybindings', 'bound');
    expect(await refused()).toBeUndefined();
    host.put('validatingadmissionpolicybindings', binding());
    expect(await refused()).toBe('two');
    host.remove('validatingadmissionpolicies', 'rule.example.com');
    expect(await refused()).toBeUndefined();
    host.put('validatingadmissionpolicies', policy({ validations: [{ expression: 'false', message: 'three' }] }));
    expect(await refused()).toBe('three');
    host.reset('validatingadmissionpolicies');
    expect(await refused()).toBeUndefined();
  });

  it('that comes first by name answers first', async () => {
    const no = (name: string) => policy({ validations: [{ expression: 'false', message: name }] }, name);
    const { ask } = serve([no('b'), no('a')], [binding({}, 'x', 'b'), binding({}, 'y', 'a')]);
    expect(saying(await ask(create()))).toBe('a');
  });
});

describe('the plugin', () => {
  it('does not check policies and bindings', () => {
    const { plugin } = serve([noSecrets]);
    for (const own of [policyModule, bindingModule]) expect(plugin.handles(own, 'CREATE', '')).toBe(false);
  });

  it.each([
    ['its gate is off', hostOf(modules, ['ValidatingAdmissionPolicy'])],
    ['its kinds are not served', hostOf(modules.filter((one) => one !== bindingModule))],
  ])('does nothing if %s', (_, host) => {
    const plugin = defineValidatingAdmissionPolicy(platformNaming);
    plugin.start?.(host);
    expect(plugin.handles(create().resource, 'CREATE', '')).toBe(false);
  });

  it('answers at once if no policy can match', () => {
    const { plugin } = serve([noSecrets]);
    const other = modules.find(({ names }) => names.plural === 'limits') ?? policyModule;
    expect(plugin.validate?.(write({ resource: other }), contextWith({}))).toBeUndefined();
  });
});

describe('a binding', () => {
  const bad = policy({ validations: [{ expression: "object.data.a != 'bad'", message: 'a is bad' }] });
  const failureKey = 'validation.policy.admission.platform.io/validation_failure';

  it('warns', async () => {
    const led = await serve([bad], [binding({ validationActions: ['Warn'] })]).ask(create({ a: 'bad' }));
    expect(led.failure).toBeUndefined();
    expect(led.warnings).toEqual([
      "Validation failed for ValidatingAdmissionPolicy 'rule.example.com' with binding 'bound': a is bad",
    ]);
  });

  it('annotates the audit log with the refusal that it replaces', async () => {
    const actions = ['Audit', 'Warn'];
    const led = await serve([bad], [binding({ validationActions: actions })]).ask(create({ a: 'bad' }));
    expect(led.failure).toBeUndefined();
    expect(JSON.parse(led.notes[failureKey] ?? '')).toEqual([
      {
        message: 'a is bad',
        policy: 'rule.example.com',
        binding: 'bound',
        expressionIndex: 0,
        validationActions: actions,
      },
    ]);
  });

  it('adds nothing about a valid request', async () => {
    const led = await serve([bad], [binding({ validationActions: ['Deny', 'Audit'] })]).ask(create({ a: 'good' }));
    expect(led).toEqual({ failure: undefined, warnings: [], notes: {} });
  });
});

describe('notes of a policy', () => {
  const noting = (spec: Record<string, string>) =>
    policy({ ...spec, auditAnnotations: [{ key: 'who', valueExpression: "' ' + object.data.who + ' '" }] });

  it('are made for audit and trimmed, except empty ones', async () => {
    const { ask } = serve([noting({})]);
    expect((await ask(create({ who: 'me' }))).notes).toEqual({ 'rule.example.com/who': 'me' });
    expect((await ask(create({ who: '' }))).notes).toEqual({});
  });

  it('are cut if they are too long', async () => {
    const { notes } = await serve([noting({})]).ask(create({ who: 'é'.repeat(6000) }));
    expect(Buffer.byteLength(notes['rule.example.com/who'] ?? '')).toBe(10 * 1024);
  });

  it('refuse if they cannot be evaluated, unless failures are ignored', async () => {
    const said = "expression '' ' + object.data.who + ' '' resulted in error: no such key: data";
    expect(saying(await serve([noting({})]).ask(create()))).toBe(said);
    expect((await serve([noting({ failurePolicy: 'Ignore' })]).ask(create())).failure).toBeUndefined();
  });
});
