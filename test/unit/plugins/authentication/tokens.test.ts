import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../../../plugins/authentication/tokens.js';
import {
  defineAdministrator,
  defineAnonymous,
  defineBootstrapTokens,
  defineTokenFile,
} from '../../../../plugins/index.js';
import type {
  ApiObject,
  AuthenticationContext,
  Authenticator,
  Credentials,
} from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { testAuthenticator } from '../../../support/authenticator-suite.js';
import { hasShared, shared } from '../../../support/shared.js';

function open(text: string): Authenticator {
  const opened = defineTokenFile(text);
  if (!opened.ok) throw new Error(opened.problem);
  return opened.authenticator;
}

const header = (authorization: string | string[]): Credentials => ({ headers: { authorization } });
const bearer = (token: string): Credentials => header(`Bearer ${token}`);

testAuthenticator({
  authenticator: open('t1,alice,2,"devs,testers"\n'),
  recognized: bearer('t1'),
  name: 'alice',
  wrong: bearer('nosuchtoken'),
  foreign: header('Basic YTpi'),
});

describe('a token file', () => {
  it('maps tokens to users and groups', () => {
    const authenticator = open('t1,alice,2,"devs,testers"\r\nt2,bob,3\nt3,"carol, c",,one\n');
    const user = (token: string) => authenticator.authenticate(bearer(token));
    expect(user('t1')).toEqual({
      user: { name: 'alice', uid: '2', groups: ['devs', 'testers', 'system:authenticated'], extra: {} },
    });
    expect(user('t2')).toMatchObject({ user: { name: 'bob', uid: '3', groups: ['system:authenticated'] } });
    expect(user('t3')).toMatchObject({ user: { name: 'carol, c', uid: '', groups: ['one', 'system:authenticated'] } });
  });

  it('needs three columns', () =>
    expect(defineTokenFile('t1,alice,1\n\nt2,bob\n')).toEqual({
      ok: false,
      problem: 'line 3: a token needs three columns (token, user, uid), found 2',
    }));

  it('warns about odd lines', () => {
    const opened = defineTokenFile(',nobody,0\nt1,alice,1\nt1,bob,2\n');
    expect(opened).toMatchObject({
      ok: true,
      warnings: [
        expect.stringMatching(/^line 1: the token is empty/),
        expect.stringMatching(/^line 3: .* the same token/),
      ],
    });
    expect(opened.ok && opened.authenticator.authenticate(bearer('t1'))).toMatchObject({ user: { name: 'bob' } });
  });

  it('may be empty', () => expect(open('').authenticate(bearer('x'))).toHaveProperty('refused'));

  it.skipIf(!hasShared)('is read as in the recordings (needs ../shared)', () => {
    const authenticator = open(readFileSync(shared('conformance', 'tokens.csv'), 'utf8'));
    expect(authenticator.authenticate(bearer('alicetoken'))).toEqual({
      user: { name: 'alice', uid: '2', groups: ['devs', 'testers', 'system:authenticated'], extra: {} },
    });
  });
});

describe('tokens', () => {
  const authenticator = open('t1,alice,1\n__proto__,proto,1\n');
  const isRecognized = (credentials: Credentials): boolean => {
    const found = authenticator.authenticate(credentials);
    return found !== undefined && 'user' in found;
  };

  it.each(['Bearer t1', 'bearer t1', 'BEARER t1', ' Bearer t1 ', 'Bearer t1 and more'])('are found in %j', (text) => {
    expect(isRecognized(header(text))).toBe(true);
    expect(isRecognized(header([text]))).toBe(true);
  });

  it.each(['Bearer', 'Bearer ', 't1', 'Bearer:t1', 'Bearer\tt1', 'Token t1', 'Bearer  t1', 'Basic t1'])(
    'are not found in %j',
    (text) => expect(authenticator.authenticate(header(text))).toBeUndefined(),
  );

  it.each(['T1', 't', 't11', '"t1"', 't1,', 'constructor', 'toString'])('are compared exactly: %s', (token) =>
    expect(authenticator.authenticate(bearer(token))).toHaveProperty('refused'),
  );

  it('may be any word', () => expect(isRecognized(bearer('__proto__'))).toBe(true));
});

const fieldsOf = (text: string) => parseCsv(text).map(({ fields }) => fields);

describe('parseCsv', () => {
  it.each([
    ['a,b,c', [['a', 'b', 'c']]],
    [
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a,b\r\n\r\nc\r\n', [['a', 'b'], ['c']]],
    [' a , "b, ""c""" ,\td', [['a', 'b, "c"', 'd']]],
    ['a,"b\nc",d\ne', [['a', 'b\nc', 'd'], ['e']]],
    ['a,,', [['a', '', '']]],
    [',\n', [['', '']]],
    ['', []],
    ['\n\n', []],
    ['""', []],
    ['a,"b', [['a', '"b']]],
    ['a"b,c', [['a"b', 'c']]],
  ])('reads %j', (text, fields) => expect(fieldsOf(text)).toEqual(fields));

  it('counts the lines of records', () =>
    expect(parseCsv('a\n"b\nb"\n\nc').map(({ line }) => line)).toEqual([1, 2, 5]));

  it('reads back what was written', () => {
    const field = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 2, maxLength: 5 })), (records) => {
        const text = records
          .map((fields) => fields.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
          .join('\n');
        expect(fieldsOf(text)).toEqual(records);
      }),
    );
  });
});

const now = Date.parse('2026-11-20T12:00:00Z');
const tokens = defineBootstrapTokens(kubernetesNaming, () => now);
const sound = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true' };

/** Makes a server with one secret in the namespace of the system. */
function contextWith(values: Readonly<Record<string, string>>, more: Partial<ApiObject> = {}): AuthenticationContext {
  const data = Object.fromEntries(
    Object.entries(values).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {},
    type: 'bootstrap.kubernetes.io/token',
    data,
    ...more,
  };
  return {
    update: () => Promise.reject(new Error('nothing is changed')),
    featureEnabled: () => true,
    get: ({ resource, namespace, name }) =>
      `${namespace}/${resource}/${name}` === 'kube-system/secrets/bootstrap-token-abcdef' ? secret : undefined,
  };
}

const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const token = 'abcdef.0123456789abcdef';
const ask = (values: Readonly<Record<string, string>>, more?: Partial<ApiObject>) =>
  tokens.authenticate(bearing(token), contextWith({ ...sound, ...values }, more));

const here: Authenticator = {
  name: tokens.name,
  authenticate: (credentials) => tokens.authenticate(credentials, contextWith(sound)),
};
testAuthenticator({
  authenticator: here,
  recognized: bearing(token),
  name: 'system:bootstrap:abcdef',
  wrong: bearing('abcdef.0000000000000000'),
  foreign: bearing('abcdef'),
});

describe('a bootstrap token', () => {
  it('belongs to a user with its id, in the groups that it names', async () => {
    const groups = 'system:bootstrappers:b,system:bootstrappers:a:1,system:bootstrappers:b';
    expect(await ask({ 'auth-extra-groups': groups, expiration: '2026-11-20T14:00:01+02:00' })).toEqual({
      user: {
        name: 'system:bootstrap:abcdef',
        uid: '',
        groups: ['system:bootstrappers', 'system:bootstrappers:a:1', 'system:bootstrappers:b', 'system:authenticated'],
        extra: {},
      },
    });
  });

  it.each([
    [{ 'token-id': 'fedcba' }],
    [{ 'token-secret': '' }],
    [{ expiration: '2026-11-20T12:00:00Z' }],
    [{ expiration: '2099-12-31' }],
    [{ 'usage-bootstrap-authentication': 'True' }],
    [{ 'auth-extra-groups': 'system:masters' }],
    [{ 'auth-extra-groups': 'system:bootstrappers:a, system:bootstrappers:b' }],
  ])('is refused with %j', async (values) => expect(await ask(values)).toHaveProperty('refused'));

  it('is refused if its secret has another type or is being deleted', async () => {
    expect(await ask({}, { type: 'Opaque' })).toHaveProperty('refused');
    expect(await ask({}, { metadata: { deletionTimestamp: '2026-11-20T12:00:00Z' } })).toHaveProperty('refused');
  });

  it('is left to other authenticators if it has another form or no secret', async () => {
    for (const other of ['abcdef:0123456789abcdef', `${token}.x`, 'ABCDEF.0123456789abcdef', 'zzzzzz.0123456789abcdef'])
      expect(await tokens.authenticate(bearing(other), contextWith(sound))).toBeUndefined();
    expect(await tokens.authenticate(bearing(token))).toBeUndefined();
  });
});

const secret = new Uint8Array(32).fill(7);
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('the token of the administrator', () => {
  const { token, authenticator } = defineAdministrator(secret);
  const ask = (authorization: string | string[]) => authenticator.authenticate({ headers: { authorization } });

  it('is derived from the secret of the data, or random without one', () => {
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(defineAdministrator(secret).token).toBe(token);
    expect(defineAdministrator(new Uint8Array(32)).token).not.toBe(token);
    expect(defineAdministrator().token).not.toBe(defineAdministrator().token);
  });

  it.each([`Bearer ${token}`, `bearer ${token}`, basic(`admin:${token}`)])('is recognized as %s', (header) => {
    expect(ask(header)).toMatchObject({
      user: { name: 'system:admin', groups: ['system:masters', 'system:authenticated'] },
    });
  });

  it.each(['', 'Bearer ', `Bearer ${token}0`, `Bearer ${token.slice(1)}`, basic('admin:'), basic(`anna:${token}`)])(
    'is not recognized as %j',
    (header) => expect(ask(header)).toBe(undefined),
  );
});

testAuthenticator({
  authenticator: defineAnonymous(),
  recognized: { headers: {} },
  name: 'system:anonymous',
  wrong: { headers: { authorization: 'Bearer unknown-token' } },
});

it('treats all credentials except a bearer token as none', () => {
  for (const authorization of ['Basic YTpi', 'Bearer', 'x']) {
    expect(defineAnonymous().authenticate({ headers: { authorization } })).toEqual({
      user: { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'], extra: {} },
    });
  }
});
