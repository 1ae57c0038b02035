/** Users by tokens from a file. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../../../plugins/authentication/token-file.js';
import { defineTokenFile } from '../../../../plugins/index.js';
import type { Authenticator, Credentials } from '../../../../runtime/contract/index.js';
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
  it('says who has which token, and in which groups', () => {
    const authenticator = open('t1,alice,2,"devs,testers"\r\nt2,bob,3\nt3,"carol, c",,one\n');
    const user = (token: string) => authenticator.authenticate(bearer(token));
    expect(user('t1')).toEqual({
      user: { name: 'alice', uid: '2', groups: ['devs', 'testers', 'system:authenticated'], extra: {} },
    });
    expect(user('t2')).toMatchObject({ user: { name: 'bob', uid: '3', groups: ['system:authenticated'] } });
    expect(user('t3')).toMatchObject({ user: { name: 'carol, c', uid: '', groups: ['one', 'system:authenticated'] } });
  });

  it('needs three columns', () => {
    expect(defineTokenFile('t1,alice,1\n\nt2,bob\n')).toEqual({
      ok: false,
      problem: 'line 3: a token needs three columns (token, user, uid), found 2',
    });
  });

  it('tells what is odd about it', () => {
    const opened = defineTokenFile(',nobody,0\nt1,alice,1\nt1,bob,2\n');
    expect(opened).toMatchObject({
      ok: true,
      warnings: [
        expect.stringMatching(/^line 1: the token is empty/),
        expect.stringMatching(/^line 3: .* given before/),
      ],
    });
    expect(opened.ok && opened.authenticator.authenticate(bearer('t1'))).toMatchObject({ user: { name: 'bob' } });
  });

  it('may be empty', () => {
    expect(open('').authenticate(bearer('x'))).toHaveProperty('refused');
  });

  it.skipIf(!hasShared)('is read as the recordings have it (needs ../shared)', () => {
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
    (text) => {
      expect(authenticator.authenticate(header(text))).toBeUndefined();
    },
  );

  it.each(['T1', 't', 't11', '"t1"', 't1,', 'constructor', 'toString'])('are compared exactly: %s', (token) => {
    expect(authenticator.authenticate(bearer(token))).toHaveProperty('refused');
  });

  it('may be any word', () => {
    expect(isRecognized(bearer('__proto__'))).toBe(true);
  });
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
  ])('reads %j', (text, fields) => {
    expect(fieldsOf(text)).toEqual(fields);
  });

  it('knows on which line a record begins', () => {
    expect(parseCsv('a\n"b\nb"\n\nc').map(({ line }) => line)).toEqual([1, 2, 5]);
  });

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
