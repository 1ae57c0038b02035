import { describe, expect, it } from 'vitest';
import { type ClaimRules, compileAccess, mapClaims, readsClaim } from '../../../../plugins/index.js';
import type { AccessVariable, Expression } from '../../../../runtime/cel/index.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';

function compile(text: string, variable: AccessVariable = 'claims'): Expression {
  const compiled = compileAccess(text, variable);
  if (!compiled.ok) throw new Error(compiled.mistake);
  return compiled.expression;
}

const by = (text: string) => ({ expression: compile(text) });
const sub = { claim: 'sub', prefix: 'idp:' };

const map = (claims: JsonObject, rules: Partial<ClaimRules> = {}) =>
  mapClaims(claims, {
    username: sub,
    extra: new Map(),
    requiredClaims: new Map(),
    claimRules: [],
    userRules: [],
    ...rules,
  });

const all = 'system:authenticated';

describe('a user', () => {
  it.each<[Partial<ClaimRules>, JsonObject, object]>([
    [{}, { sub: 'ann' }, { name: 'idp:ann', uid: '', groups: [all], extra: {} }],
    [{ username: by("claims.sub + '@' + claims.hd") }, { sub: 'ann', hd: 'a.b' }, { name: 'ann@a.b' }],
    [{ groups: { claim: 'roles', prefix: 'g:' } }, { sub: 'a', roles: ['x', 'y'] }, { groups: ['g:x', 'g:y', all] }],
    [{ groups: by('claims.roles') }, { sub: 'a', roles: ['x', ''] }, { groups: ['x', all] }],
    [{ groups: by('claims.roles') }, { sub: 'a', roles: 'x' }, { groups: ['x', all] }],
    [{ groups: by('claims.roles') }, { sub: 'a', roles: null }, { groups: [all] }],
    [{ uid: { claim: 'id', prefix: '' } }, { sub: 'a', id: 'u1' }, { uid: 'u1' }],
    [{ uid: by('string(claims.id)') }, { sub: 'a', id: 7 }, { uid: '7' }],
    [
      {
        extra: new Map([
          ['a.b/c', compile('claims.c')],
          ['a.b/d', compile("''")],
        ]),
      },
      { sub: 'a', c: ['x', 'y'] },
      { extra: { 'a.b/c': ['x', 'y'] } },
    ],
  ])('%#: is made of claims', (rules, claims, user) => expect(map(claims, rules)).toMatchObject({ user }));

  it.each<[Partial<ClaimRules>, JsonObject, string]>([
    [{}, {}, 'oidc: parse username claims "sub": claim not present'],
    [{}, { sub: '' }, 'oidc: empty username via CEL expression is not allowed'],
    [
      { username: by('claims.sub') },
      { sub: 1 },
      'oidc: error evaluating username claim expression: username claim expression must return a string',
    ],
    [
      { username: by('claims.name') },
      {},
      "oidc: error evaluating username claim expression: expression 'claims.name' resulted in error: no such key: name",
    ],
    [{ username: { claim: 'email', prefix: '' } }, { email: 'a@b', email_verified: false }, 'oidc: email not verified'],
    [
      { groups: by('claims.roles') },
      { sub: 'a', roles: [1] },
      'oidc: error evaluating group claim expression: expression must return a string or a list of strings',
    ],
    [
      { groups: { claim: 'roles', prefix: '' } },
      { sub: 'a', roles: 1 },
      'oidc: parse groups claim "roles": it is neither a text nor a list of texts',
    ],
    [{ uid: { claim: 'id', prefix: '' } }, { sub: 'a' }, 'oidc: parse uid claim "id": claim not present'],
    [
      { extra: new Map([['a.b/c', compile('1')]]) },
      { sub: 'a' },
      'oidc: error evaluating extra claim expression: 1: expression must return a string or a list of strings',
    ],
    [
      { requiredClaims: new Map([['hd', 'a.b']]) },
      { sub: 'a', hd: 'c' },
      'oidc: required claim hd value does not match. Got = c, want = a.b',
    ],
    [
      { claimRules: [{ expression: compile('claims.exp > 5'), message: 'too short' }] },
      { sub: 'a', exp: 5 },
      "oidc: error evaluating claim validation expression: validation expression 'claims.exp > 5' failed: too short",
    ],
    [
      { claimRules: [{ expression: compile('claims.exp > 5'), message: '' }] },
      { sub: 'a' },
      "oidc: error evaluating claim validation expression: expression 'claims.exp > 5' resulted in error: no such key: exp",
    ],
  ])('%#: is refused', (rules, claims, problem) =>
    expect(map(claims, rules)).toEqual({
      refused: problem,
    }),
  );

  it('is checked before it gets the group of all authenticated users', () => {
    const expression = compile("user.groups.all(g, !g.startsWith('system:')) && user.username == 'idp:a'", 'user');
    const userRules = [{ expression, message: 'reserved' }];
    const groups = by('claims.roles');
    expect(map({ sub: 'a', roles: [] }, { userRules, groups })).toHaveProperty('user');
    expect(map({ sub: 'a', roles: 'system:x' }, { userRules, groups })).toHaveProperty('refused');
  });
});

it.each([
  ["'a' + claims.email", true],
  ["claims.?email.orValue('')", true],
  ['has(claims.email)', true],
  ['claims.roles.map(r, {r: [claims.email]}).size() > 0', true],
  ["claims['email']", false],
  ['claims.other.email', false],
])('%s reads the claim email: %s', (text, reads) => expect(readsClaim(compile(text).expr, 'email')).toBe(reads));
