/** Malformed requests over HTTP/2: the server serves only what the authorizer has allowed. */
import { beforeEach, describe, expect, it } from 'vitest';
import { makeServerCertificate } from '../../../../support/certificates.js';
import { exchange2, type Headers2 } from '../../../../support/raw-http2.js';
import { startWitnessedApi } from '../../../../support/witnessed-api.js';

const witness = await startWitnessedApi();
const tls = await makeServerCertificate();
const listening = await witness.api.listen({ tls });
beforeEach(() => witness.reset());

const base = '/apis/example.com/v1/namespaces';
const open = `${base}/open/widgets/a`;
const closed = `${base}/closed/widgets/a`;

const pseudo = (path: string, method = 'GET', more: Headers2 = []): Headers2 => [
  [':method', method],
  [':scheme', 'https'],
  [':path', path],
  [':authority', 'localhost'],
  ...more,
];

/** Returns the outcome of a request: the code of a failure, `served`, or `broken off`. */
async function outcomeOf(headers: Headers2, body = ''): Promise<string | number> {
  const before = witness.closed();
  const { ended, text } = await exchange2(listening.url, headers, body);
  expect(witness.unauthorized(text)).toEqual([]);
  expect(text).not.toContain('mark:closed');
  expect(witness.closed()).toBe(before);
  expect(witness.api.defects).toEqual([]);
  if (ended === 'broken off') return ended;
  const code = /"code": ?(\d+)/.exec(text)?.[1];
  return code === undefined ? 'served' : Number(code);
}

it('the witness sees the served request', async () => {
  expect(await outcomeOf(pseudo(open))).toBe('served');
  expect(witness.allowed).toMatchObject([{ verb: 'get', namespace: 'open', name: 'a' }]);
  expect(await outcomeOf(pseudo(closed))).toBe(403);
});

describe('pseudo-headers', () => {
  it.each<[string, Headers2, string | number]>([
    ['two paths', pseudo(open, 'GET', [[':path', closed]]), 'broken off'],
    ['two methods', pseudo(open, 'GET', [[':method', 'DELETE']]), 'broken off'],
    ['two authorities', pseudo(open, 'GET', [[':authority', 'other']]), 'broken off'],
    ['one that there is not', pseudo(open, 'GET', [[':user', 'anna']]), 'broken off'],
    ['one of answers', pseudo(open, 'GET', [[':status', '200']]), 'broken off'],
    [
      'a path after the headers',
      [...pseudo(open).slice(0, 2), ['x-a', 'b'], [':path', open], [':authority', 'a']],
      'broken off',
    ],
    ['no path', pseudo(open).filter(([name]) => name !== ':path'), 'broken off'],
    ['no method', pseudo(open).filter(([name]) => name !== ':method'), 'broken off'],
    ['no scheme', pseudo(open).filter(([name]) => name !== ':scheme'), 'broken off'],
    ['an empty path', pseudo(''), 'broken off'],
    ['a path without a slash', pseudo(closed.slice(1)), 'broken off'],
    ['a path that is a whole URL', pseudo(`https://localhost${closed}`), 'broken off'],
    ['a path with a line break', pseudo(`${open} HTTP/1.1\r\nAuthorization: Bearer anna`), 'broken off'],
    ['a path with a null', pseudo(`${open}\0`), 'broken off'],
    ['a path with a space', pseudo(`${open} `), 'broken off'],
    ['a path with a fragment', pseudo(`${closed}#${open}`), 403],
    ['a path with dots', pseudo(`${base}/open/../closed/widgets/a`), 404],
    ['a path with two slashes', pseudo(`//apis/example.com/v1/namespaces/closed/widgets/a`), 403],
    ['a path with an encoded slash', pseudo(`${base}/closed%2Fwidgets%2Fa`), 403],
    ['a method with a line break', pseudo(open, 'GET / HTTP/1.1\r\nX: '), 'broken off'],
    ['a method in small letters', pseudo(closed, 'get'), 403],
    ['the method CONNECT with a path', pseudo(open, 'CONNECT'), 'broken off'],
    ['a protocol without its being agreed on', pseudo(closed, 'CONNECT', [[':protocol', 'websocket']]), 'broken off'],
    [
      'a scheme that is none',
      pseudo(open).map(([name, value]) => [name, name === ':scheme' ? 'a b' : value]),
      'broken off',
    ],
  ])('%s', async (_what, headers, outcome) => {
    expect(await outcomeOf(headers)).toBe(outcome);
  });
});

describe('headers', () => {
  it.each<[string, Headers2, string | number]>([
    ['in capital letters', [['Authorization', 'Bearer anna']], 'broken off'],
    ['of connections', [['connection', 'upgrade']], 'broken off'],
    ['of upgrades', [['upgrade', 'websocket']], 'broken off'],
    ['of chunks', [['transfer-encoding', 'chunked']], 'broken off'],
    ['of proxies', [['proxy-connection', 'keep-alive']], 'broken off'],
    ['te, with another coding', [['te', 'gzip']], 'broken off'],
    [
      'two lengths',
      [
        ['content-length', '0'],
        ['content-length', '1'],
      ],
      'broken off',
    ],
    [
      'two tokens, the good one second',
      [
        ['authorization', 'Bearer eve'],
        ['authorization', 'Bearer anna'],
      ],
      403,
    ],
    [
      'two tokens, the good one first',
      [
        ['authorization', 'Bearer anna'],
        ['authorization', 'Bearer eve'],
      ],
      'served',
    ],
    [
      'a user to act as',
      [
        ['authorization', 'Bearer eve'],
        ['impersonate-user', 'anna'],
      ],
      403,
    ],
    [
      'a user of a proxy',
      [
        ['authorization', 'Bearer eve'],
        ['x-remote-user', 'anna'],
      ],
      403,
    ],
    [
      'a method',
      [
        ['authorization', 'Bearer eve'],
        ['x-http-method-override', 'DELETE'],
      ],
      403,
    ],
  ])('%s', async (_what, more, outcome) => {
    expect(await outcomeOf(pseudo(open, 'GET', more))).toBe(outcome);
  });

  // Node ignores such headers silently, so that nothing in them counts.
  it.each<[string, readonly [string, string]]>([
    ['a line break in the value', ['x-a', 'b\r\nauthorization: Bearer anna']],
    ['a line break in the name', ['x-a: b\r\nauthorization', 'Bearer anna']],
    ['a null', ['authorization', 'Bearer anna\0']],
    ['no name', ['', 'Bearer anna']],
  ])('with %s are ignored', async (_what, header) => {
    expect(await outcomeOf(pseudo(open, 'GET', [header]))).toBe('served');
    expect(witness.asked.map(({ user }) => user.name)).toEqual(['tester']);
  });

  it('a host besides the authority does not affect rights', async () => {
    expect(await outcomeOf(pseudo(closed, 'GET', [['host', 'open']]))).toBe(403);
  });
});

describe('bodies', () => {
  const post = (more: Headers2): Headers2 =>
    pseudo(`${base}/open/widgets`, 'POST', [['content-type', 'application/json'], ...more]);
  const object = (namespace: string): string =>
    JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'c', namespace }, spec: {} });
  it.each<[string, Headers2, string, string | number]>([
    ['shorter than announced', post([['content-length', '1000']]), object('open'), 'broken off'],
    ['longer than announced', post([['content-length', '1']]), object('open'), 'broken off'],
    ['of another namespace', post([]), object('closed'), 400],
    ['of HTTP/1.1', post([]), `0\r\n\r\nGET ${closed} HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
  ])('%s', async (_what, headers, body, outcome) => {
    expect(await outcomeOf(headers, body)).toBe(outcome);
  });
});
