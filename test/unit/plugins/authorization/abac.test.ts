import { describe, expect, it } from 'vitest';
import { defineAbac, readPolicyFile } from '../../../../plugins/index.js';
import type { AccessAttributes, UserInfo } from '../../../../runtime/contract/index.js';
import { testAuthorizer } from '../../../support/authorizer-suite.js';

const group = 'abac.authorization.platform.io';

const user = (name: string, ...groups: readonly string[]): UserInfo => ({ name, uid: '', groups, extra: {} });

function policiesOf(...lines: readonly object[]) {
  const read = readPolicyFile(lines.map((line) => JSON.stringify(line)).join('\n'), group);
  if (!read.ok) throw new Error(read.problem);
  return read.policies;
}

const policy = (spec: object): object => ({ apiVersion: `${group}/v1beta1`, kind: 'Policy', spec });

const get = (name: string, more: object = {}): AccessAttributes => ({
  user: user(name, 'system:authenticated'),
  verb: 'get',
  group: '',
  resource: 'pods',
  namespace: 'shop',
  ...more,
});

describe('the authorizer', () => {
  testAuthorizer({
    authorizer: defineAbac(policiesOf(policy({ user: 'anna', resource: 'pods', namespace: 'shop' }))),
    allowed: get('anna'),
    refused: get('bob'),
  });
});

const decide = (line: object, question: AccessAttributes) => defineAbac(policiesOf(line)).decide(question);

describe('a policy', () => {
  it.each<[object, AccessAttributes, 'allow' | 'no opinion']>([
    [policy({ user: '*', resource: 'pods', namespace: 'shop' }), get('anna'), 'allow'],
    [policy({ user: '*', resource: 'pods', namespace: 'shop' }), get('x', { user: user('x') }), 'no opinion'],
    [
      policy({ group: '*', resource: '*', namespace: '*' }),
      get('x', { user: user('system:anonymous', 'system:unauthenticated') }),
      'no opinion',
    ],
    [policy({ resource: '*', namespace: '*' }), get('anna'), 'no opinion'],
    [policy({ user: 'anna', resource: 'pods' }), get('anna'), 'no opinion'],
    [policy({ user: 'anna', resource: 'pods' }), get('anna', { namespace: '' }), 'allow'],
    [policy({ user: 'anna', resource: 'pods', namespace: 'shop' }), get('anna', { subresource: 'log' }), 'allow'],
    [
      policy({ user: 'anna', resource: 'pods/log', namespace: 'shop' }),
      get('anna', { subresource: 'log' }),
      'no opinion',
    ],
    [policy({ user: 'anna', resource: '*', namespace: '*' }), get('anna', { group: 'apps' }), 'no opinion'],
    [policy({ user: 'anna', resource: '*', namespace: '*', apiGroup: '*' }), get('anna', { group: 'apps' }), 'allow'],
    [
      policy({ user: 'anna', resource: '*', namespace: '*', readonly: true }),
      get('anna', { verb: 'update' }),
      'no opinion',
    ],
    [policy({ user: 'anna', group: 'a', resource: '*', namespace: '*' }), get('anna'), 'no opinion'],
    [
      policy({ user: 'anna', nonResourcePath: '/logs*' }),
      { user: user('anna'), verb: 'get', path: '/logs/x' },
      'allow',
    ],
    [
      policy({ user: 'anna', nonResourcePath: '/logs' }),
      { user: user('anna'), verb: 'get', path: '/logs/x' },
      'no opinion',
    ],
    [policy({ user: 'anna', nonResourcePath: '*' }), get('anna'), 'no opinion'],
    [{ user: 'anna' }, get('anna', { verb: 'delete', group: 'apps' }), 'allow'],
    [{ user: 'anna' }, { user: user('anna'), verb: 'post', path: '/x' }, 'allow'],
    [{ user: 'anna', resource: 'pods' }, { user: user('anna'), verb: 'get', path: '/x' }, 'no opinion'],
    [{}, get('anyone'), 'allow'],
    [{}, get('x', { user: user('system:anonymous', 'system:unauthenticated') }), 'no opinion'],
  ])('%j decides on %j: %s', (line, question, expected) =>
    expect(decide(line, question)).toMatchObject({ decision: expected }),
  );

  it('lists its rules', async () => {
    const authorizer = defineAbac(
      policiesOf(
        policy({ user: 'anna', resource: 'pods', namespace: 'shop', readonly: true }),
        policy({ user: 'anna', resource: 'nodes', namespace: 'other' }),
        policy({ user: 'anna', nonResourcePath: '/logs', namespace: '*' }),
        policy({ user: 'bob', resource: '*', namespace: '*' }),
      ),
    );
    expect(await authorizer.rules?.(user('anna'), 'shop')).toEqual({
      resourceRules: [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/logs'] }],
      incomplete: false,
    });
  });
});

describe('a file of policies', () => {
  it('may have comments and empty lines, and warns about lines of the old form', () => {
    const read = readPolicyFile(`# who may what\n\n${JSON.stringify(policy({ user: 'a' }))}\n {"user":"b"} \n`, group);
    expect(read).toMatchObject({ ok: true, policies: [{ user: 'a' }, { user: 'b' }] });
    expect(read.ok && read.warnings).toEqual([
      `1 line without apiVersion and kind; write policies of ${group}/v1beta1 instead`,
    ]);
  });

  it.each([
    ['{', 'line 2: unexpected end of JSON input'],
    ['[]', 'line 2: not a JSON object'],
    ['{"user":"a","user":"b"}', 'line 2: duplicate field "user"'],
    ['{"user":1}', 'line 2: user: not a string'],
    ['{"user":"a","readOnly":true}', 'line 2: readOnly: unknown field; did you mean `readonly`?'],
    ['{"user":"a","readonly":"yes"}', 'line 2: readonly: not true or false'],
    ['{"user":"a","__proto__":{}}', 'line 2: __proto__: unknown field; use user, group, '],
    ['{"user":"a","apiGroup":"*"}', 'line 2: apiGroup: unknown field; '],
    [JSON.stringify(policy({ user: ['a'] })), 'line 2: spec.user: not a string'],
    [
      JSON.stringify({ ...policy({}), user: 'a' }),
      'line 2: user: unknown field; put the fields of the policy into spec',
    ],
    [JSON.stringify({ ...policy({}), kind: 'Role' }), `line 2: Role of ${group}/v1beta1 is unknown; use Policy of `],
    [JSON.stringify({ ...policy({}), apiVersion: 'v1' }), 'line 2: Policy of v1 is unknown; use Policy of '],
    [JSON.stringify({ apiVersion: `${group}/v1beta1`, kind: 'Policy' }), 'line 2: spec: not an object'],
  ])('that has %s is refused by its line', (line, problem) => {
    const read = readPolicyFile(`{"user":"x"}\n${line}\n`, group);
    expect(read.ok ? '' : read.problem).toContain(problem);
  });
});
