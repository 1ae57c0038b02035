/** Crooked requests, over a socket: whatever is served is what the authorizer has allowed, and nothing else. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { exchange } from '../../../support/raw-http.js';
import { startWitnessedApi } from '../../../support/witnessed-api.js';

const witness = await startWitnessedApi();
const listening = await witness.api.server.listen({ host: '127.0.0.1', port: 0 });
afterAll(async () => {
  await listening.close();
  await witness.api.close();
});
beforeEach(() => witness.reset());

const base = '/apis/example.com/v1/namespaces';
const open = `${base}/open/widgets`;
const closed = `${base}/closed/widgets`;
const last = 'Connection: close';
const hidden = `GET ${closed}/a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

/** Sends bytes, and returns the codes of all answers. Fails where anything was served that was not authorized. */
async function codesOf(text: string | Buffer): Promise<readonly number[]> {
  const before = witness.closed();
  const answer = await exchange(listening.url, text);
  expect(witness.unauthorized(answer)).toEqual([]);
  expect(answer).not.toContain('mark:closed');
  expect(witness.closed()).toBe(before);
  expect(witness.api.defects).toEqual([]);
  return [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));
}

/** A head with a line for each header, and what comes after it. */
const message = (line: string, headers: readonly string[] = [], rest = ''): string =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n${rest}`;

it('the witness sees what is served', async () => {
  expect(await codesOf(message(`GET ${open}/a`, [last]))).toEqual([200]);
  expect(witness.allowed).toMatchObject([{ verb: 'get', namespace: 'open', name: 'a', user: { name: 'tester' } }]);
  expect(await codesOf(message('GET /hook/open', [last]))).toEqual([200]);
  expect(await codesOf(message(`GET ${closed}/a`, [last]))).toEqual([403]);
  expect(witness.unauthorized('mark:closed/a:')).toHaveLength(1);
  expect(witness.unauthorized('mark:open/b:')).toHaveLength(1);
});

describe('request smuggling', () => {
  const post = (headers: readonly string[], rest: string): string => message(`POST ${open}`, headers, rest);
  const chunked = 'Transfer-Encoding: chunked';
  const length = `Content-Length: ${hidden.length}`;
  it.each<[string, string, readonly number[]]>([
    ['a length and chunks', post([length, chunked], `0\r\n\r\n${hidden}`), [400]],
    ['chunks and a length', post([chunked, length], `0\r\n\r\n${hidden}`), [400]],
    ['chunks and a length of nothing', post([chunked, 'Content-Length: 0'], `0\r\n\r\n${hidden}`), [400]],
    ['chunks by another name', post([length, 'Transfer-Encoding: xchunked'], hidden), [400]],
    ['chunks in quotes', post([length, 'Transfer-Encoding: "chunked"'], hidden), [400]],
    ['chunks after another coding', post([length, 'Transfer-Encoding: gzip, chunked'], hidden), [400]],
    ['chunks before another coding', post(['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${hidden}`), [400]],
    ['chunks twice', post([chunked, chunked], `0\r\n\r\n${hidden}`), [400]],
    ['a coding that is none', post([length, 'Transfer-Encoding: identity'], hidden), [400]],
    ['an empty coding', post([length, 'Transfer-Encoding:'], hidden), [400]],
    ['a tab before chunks', post([length, 'Transfer-Encoding:\tchunked'], `0\r\n\r\n${hidden}`), [400]],
    ['a vertical tab before chunks', post([length, 'Transfer-Encoding: \vchunked'], `0\r\n\r\n${hidden}`), [400]],
    ['a space before the colon', post([length, 'Transfer-Encoding : chunked'], `0\r\n\r\n${hidden}`), [400]],
    ['an underscore', post(['Transfer_Encoding: chunked', 'Content-Length: 0', last], ''), [400]],
    ['a folded coding', post([length, 'Transfer-Encoding:\r\n chunked'], `0\r\n\r\n${hidden}`), [400]],
    ['a folded header', post([length, 'X-A: b\r\n Transfer-Encoding: chunked'], hidden), [400]],
    [
      'a header after a bare line feed',
      post([length, 'X-A: b\nTransfer-Encoding: chunked'], `0\r\n\r\n${hidden}`),
      [400],
    ],
    ['a header after a bare carriage return', post([length, 'X-A: b\rTransfer-Encoding: chunked'], hidden), [400]],
    ['a null in a header', post([length, 'X-A: b\0c'], hidden), [400]],
    ['lengths that differ', post([length, 'Content-Length: 0'], hidden), [400]],
    ['the same length twice', post([length, length], hidden), [400]],
    ['a list of lengths', post([`Content-Length: 0, ${hidden.length}`], hidden), [400]],
    ['a length with a sign', post(['Content-Length: +0'], hidden), [400]],
    ['a length below nothing', post(['Content-Length: -1'], hidden), [400]],
    ['a length in hexadecimal', post(['Content-Length: 0x0'], hidden), [400]],
    ['a length beyond all numbers', post(['Content-Length: 18446744073709551616'], hidden), [400]],
    ['an empty length', post(['Content-Length:'], hidden), [400]],
    ['a chunk of a size with a sign', post([chunked], `+0\r\n\r\n${hidden}`), [400]],
    ['a chunk of a size in hexadecimal twice', post([chunked], `0x0\r\n\r\n${hidden}`), [400]],
    ['a chunk that ends with a bare line feed', post([chunked], `2\n{}\n0\n\n${hidden}`), [400]],
    ['a chunk that is longer than it says', post([chunked], `1\r\n{}\r\n0\r\n\r\n${hidden}`), [400]],
    ['a chunk with an extension', post([chunked, last], `2;a=b\r\n{}\r\n0\r\n\r\n`), [400]],
    ['a chunk with a line feed in its extension', post([chunked], `2;a\nb\r\n{}\r\n0\r\n\r\n${hidden}`), [400]],
    ['a chunk beyond all sizes', post([chunked], `10000000000000002\r\n{}\r\n0\r\n\r\n${hidden}`), [400]],
    ['trailers', post([chunked, last], `2\r\n{}\r\n0\r\nAuthorization: Bearer anna\r\n\r\n`), [400]],
    ['a request line that ends with a bare line feed', `GET ${open}/a HTTP/1.1\nHost: localhost\n\n${hidden}`, [400]],
    [
      'a request line with a carriage return',
      `GET ${open}/a\rGET ${closed}/a HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      [400],
    ],
    ['a request line with two spaces', `GET  ${closed}/a HTTP/1.1\r\nHost: localhost\r\n${last}\r\n\r\n`, [403]],
    ['a request line with three parts more', `GET ${open}/a ${closed}/a HTTP/1.1\r\nHost: localhost\r\n\r\n`, [400]],
    ['a tab in the request line', `GET\t${closed}/a\tHTTP/1.1\r\nHost: localhost\r\n\r\n`, [400]],
    ['a method in small letters', message(`get ${closed}/a`, [last]), [400]],
    ['a body of a get', message(`GET ${open}/a`, [length, last], hidden), [200]],
    [
      'a body of a get, and a request after it',
      message(`GET ${open}/a`, ['Content-Length: 1'], `x${hidden}`),
      [200, 403],
    ],
    [
      'requests one after the other',
      `${message(`GET ${open}/a`)}${hidden.replace(last, 'X-A: b')}${message(`GET ${open}/b`, [last])}`,
      [200, 403, 200],
    ],
    ['a request after one with Connection: close', message(`GET ${open}/a`, [last], hidden), [400]],
    ['HTTP/1.0 with chunks', `POST ${open} HTTP/1.0\r\nHost: localhost\r\n${chunked}\r\n\r\n0\r\n\r\n${hidden}`, [400]],
    [
      'Connection: names a header that counts',
      message(`GET ${open}/a`, ['Connection: close, authorization', 'Authorization: Bearer eve']),
      [403],
    ],
    ['Expect', post(['Expect: 100-continue', 'Content-Length: 2', last], '{}'), [100, 400]],
    ['an unknown expectation', post(['Expect: nothing', 'Content-Length: 2', last], '{}'), [417]],
  ])('%s', async (_what, text, codes) => {
    expect(await codesOf(text)).toEqual(codes);
  });
});

describe('path confusion', () => {
  it.each<[string, readonly number[]]>([
    // An encoded slash parts as any other does, for the authorizer too.
    [`${base}/open%2Fwidgets/a`, [200]],
    [`${base}/closed%2Fwidgets%2Fa`, [403]],
    [`${base}/open/widgets%2F..%2F..%2Fclosed%2Fwidgets%2Fa`, [404]],
    [`${base}/open/../closed/widgets/a`, [404]],
    [`${base}/open/widgets/../../closed/widgets/a`, [404]],
    [`${base}/open/./../closed/widgets/a`, [404]],
    [`${base}/open/%2e%2e/closed/widgets/a`, [404]],
    [`${base}/open/%252e%252e/closed/widgets/a`, [404]],
    [`${base}/closed%252Fwidgets/a`, [403]],
    [`${base}/%63losed/widgets/a`, [403]],
    [`${base}/%2563losed/widgets/a`, [403]],
    [`${base}/closed/widgets/a%00`, [403]],
    [`${base}/open%00/../closed/widgets/a`, [403]],
    [`${base}/open/widgets/a%00/../../../closed/widgets/a`, [404]],
    [`${base}//closed/widgets/a`, [403]],
    [`${base}/open//widgets/a`, [404]],
    [`/${base}/closed/widgets/a`, [403]],
    [`//apis/example.com/v1/namespaces/closed/widgets/a`, [403]],
    [`${base}/closed;open/widgets/a`, [403]],
    [`${base}/open;/../closed/widgets/a`, [403]],
    [`${base}/closed/widgets;a=b/a`, [403]],
    [`${base}\\closed\\widgets\\a`, [403]],
    [`${base}/open\\..\\closed/widgets/a`, [403]],
    [`${base}/open%5c..%5cclosed/widgets/a`, [403]],
    [`${base}/closed/widgets/a/`, [403]],
    [`${base}/CLOSED/widgets/a`, [403]],
    [`${base}/closed/widgets/a?namespace=open`, [403]],
    [`${base}/closed/widgets/a#/../open`, [403]],
    [`${base}/closed/widgets/a%23`, [403]],
    [`${base}/closed/widgets/a%3Fb`, [403]],
    [`${base}/closed/widgets/a%`, [403]],
    [`${base}/closed/widgets/a%zz`, [403]],
    [`${base}/closed/widgets/a%c0%af`, [403]],
    [`/apis/example.com/v1/watch/namespaces/closed/widgets/a`, [403]],
    [`/apis/example.com/v1/widgets?fieldSelector=metadata.namespace=open`, [403]],
    [`/apis/example.com/v1/widgets?fieldSelector=metadata.name=a`, [403]],
    [`/apis/example.com/v1/namespaces//widgets`, [403]],
    [`http://localhost${closed}/a`, [403]],
    [`http://localhost${open}/a`, [200]],
    [`http://open@localhost${closed}/a`, [403]],
    [`http://localhost/..${closed}/a`, [403]],
    [`http:${closed}/a`, [400]],
    [`file://${closed}/a`, [403]],
    [closed.slice(1), [400]],
    ['/hook/closed', [403]],
    ['/hook/open/../closed', [404]],
    ['/hook/open/%2e%2e/closed', [404]],
    ['/hook/open%2f..%2fclosed', [404]],
    ['/hook/open\\..\\closed', [403]],
    ['/hook/open/..;/closed', [200]],
    ['//hook/closed', [403]],
    ['/hook//closed', [403]],
    ['/%68ook/closed', [403]],
    ['/hook/%63losed', [403]],
    ['http://localhost/hook/open/../closed', [404]],
    ['*', [403]],
  ])('%s', async (target, codes) => {
    expect(await codesOf(message(`GET ${target}`, [last]))).toEqual(codes);
  });

  it('discovery answers for the path that was authorized', async () => {
    const kind = async (target: string): Promise<string | undefined> =>
      /"kind": ?"(\w+)"/.exec(await exchange(listening.url, message(`GET ${target}`, [last])))?.[1];
    expect(await kind('/apis/example.com/v1')).toBe('APIResourceList');
    expect(await kind('/apis%2Fexample.com%2Fv1')).toBe('APIResourceList');
    expect(await kind('/apis%2Fexample.com')).toBe('APIGroup');
  });

  it.each<[string, readonly number[]]>([
    ['POST', [404]],
    ['PUT', [404]],
    ['DELETE', [404]],
    ['PATCH', [404]],
    ['OPTIONS', [404]],
    ['TRACE', [404]],
    ['HEAD', [404]],
    ['PROPFIND', [404]],
    ['CONNECT', [405]],
  ])('by the method %s', async (method, codes) => {
    expect(await codesOf(message(`${method} ${base}/open/../closed/widgets/a`, ['Content-Length: 0', last]))).toEqual(
      codes,
    );
  });
});

describe('what a query asks for', () => {
  const name = (value: string): string => `fieldSelector=metadata.name${value}`;
  it.each<[string, string, string]>([
    [name('=a'), 'list', 'a'],
    [name('%3D%3Da'), 'list', 'a'],
    [`${name('=a')}&${name('=b')}`, 'list', 'a'],
    [`${name('=a')}&fieldSelector=`, 'list', 'a'],
    [`fieldSelector=&${name('=a')}`, 'list', ''],
    [`${name('=a')},metadata.name!=a`, 'list', 'a'],
    [`${name('=a')},metadata.namespace=closed`, 'list', 'a'],
    [`${name('=a')},metadata.name=b`, 'list', 'a'],
    [`${name('=a')};${name('=b')}`, 'list', ''],
    ['watch=false&watch=true', 'list', ''],
    ['watch=0', 'list', ''],
    ['Watch=true', 'list', ''],
    ['watch;=true', 'list', ''],
  ])('%s is a %s of what is named %j', async (query, verb, asked) => {
    const [code] = await codesOf(message(`GET ${open}?${query}`, [last]));
    expect(code).toBe(200);
    expect(witness.asked).toMatchObject([{ verb, namespace: 'open', name: asked }]);
  });
});

describe('repeated and foreign headers', () => {
  it.each<[string, readonly string[], readonly number[], string]>([
    ['Authorization, the good one second', ['Authorization: Bearer eve', 'Authorization: Bearer anna'], [403], 'eve'],
    ['Authorization, the good one first', ['Authorization: Bearer anna', 'Authorization: Bearer eve'], [200], 'anna'],
    ['Authorization in two cases', ['authorization: Bearer eve', 'AUTHORIZATION: Bearer anna'], [403], 'eve'],
    ['Authorization, an unknown one first', ['Authorization: Bearer guess', 'Authorization: Bearer anna'], [401], ''],
    ['Authorization, an empty one first', ['Authorization:', 'Authorization: Bearer anna'], [401], ''],
    ['Authorization in a list', ['Authorization: Bearer guess, Bearer anna'], [401], ''],
    ['Impersonate-User', ['Authorization: Bearer eve', 'Impersonate-User: anna'], [403], 'eve'],
    [
      'Impersonate-User twice',
      ['Authorization: Bearer eve', 'Impersonate-User: eve', 'Impersonate-User: anna'],
      [403],
      'eve',
    ],
    ['Impersonate-User with an underscore', ['Authorization: Bearer eve', 'Impersonate_User: anna'], [403], 'eve'],
    ['Impersonate-Group alone', ['Authorization: Bearer eve', 'Impersonate-Group: system:masters'], [400], ''],
    ['Impersonate-Uid alone', ['Authorization: Bearer eve', 'Impersonate-Uid: 1'], [400], ''],
    [
      'X-Remote-User',
      ['Authorization: Bearer eve', 'X-Remote-User: anna', 'X-Remote-Group: system:masters'],
      [403],
      'eve',
    ],
    ['X-Forwarded-User', ['Authorization: Bearer eve', 'X-Forwarded-User: anna'], [403], 'eve'],
    [
      'X-Forwarded-Host and the like',
      ['Authorization: Bearer eve', 'X-Forwarded-Host: a', 'Forwarded: for=anna'],
      [403],
      'eve',
    ],
    ['Proxy-Authorization', ['Authorization: Bearer eve', 'Proxy-Authorization: Bearer anna'], [403], 'eve'],
    ['two hosts', ['Host: other'], [400], ''],
    ['a cookie', ['Cookie: authorization=Bearer anna', 'Authorization: Bearer eve'], [403], 'eve'],
  ])('%s', async (_what, headers, codes, user) => {
    expect(await codesOf(message(`GET ${open}/a`, [...headers, last]))).toEqual(codes);
    expect([...new Set(witness.asked.map((one) => one.user.name))].join()).toBe(user);
  });

  const overrides = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', 'X-Original-Method'];
  it.each(overrides)('%s is no method', async (name) => {
    expect(await codesOf(message(`GET ${open}/a`, [`${name}: DELETE`, last]))).toEqual([200]);
    expect(witness.asked).toMatchObject([{ verb: 'get' }]);
    expect(
      await codesOf(message(`POST ${open}/a?_method=DELETE`, [`${name}: DELETE`, 'Content-Length: 0', last])),
    ).toEqual([405]);
    expect(witness.asked.map(({ verb }) => verb)).toEqual(['get', 'create']);
  });

  it.each(['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Prefix', 'X-Forwarded-Path'])(
    '%s is no path',
    async (name) => {
      expect(await codesOf(message(`GET ${open}/a`, [`${name}: ${closed}/a`, last]))).toEqual([200]);
    },
  );
});

describe('upgrades', () => {
  const upgrade = (to: string): string[] => [
    'Connection: Upgrade, HTTP2-Settings',
    `Upgrade: ${to}`,
    'HTTP2-Settings: AAMAAABk',
  ];
  const socket = [...upgrade('websocket'), 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
  it.each<[string, string, readonly number[]]>([
    ['h2c, which is passed over', message(`GET ${closed}/a`, [...upgrade('h2c'), last]), [403]],
    ['h2c, with a request after it', message(`GET ${open}/a`, upgrade('h2c'), hidden), [200, 403]],
    [
      'h2c, with a body',
      message(`POST ${open}`, [...upgrade('h2c'), last, `Content-Length: ${hidden.length}`], hidden),
      [400],
    ],
    ['h2c and a WebSocket', message(`GET ${closed}?watch=true`, [...upgrade('h2c, websocket'), last]), [403]],
    ['HTTP/2 from the first byte', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
    ['TLS', message(`GET ${closed}/a`, [...upgrade('TLS/1.2'), last]), [403]],
    ['a WebSocket', message(`GET ${closed}?watch=true`, socket), [403]],
    ['a WebSocket by another path', message(`GET ${base}/open/../closed/widgets?watch=true`, socket), [404]],
    ['a WebSocket with a request after it', message(`GET ${closed}?watch=true`, socket, hidden), [403]],
    [
      'a WebSocket with a body',
      message(`GET ${closed}?watch=true`, [...socket, `Content-Length: ${hidden.length}`], hidden),
      [403],
    ],
    ['a WebSocket of no stream', message(`GET ${open}/a`, socket), [200]],
    [
      'a WebSocket of the wrong version',
      message(`GET ${open}?watch=true`, [...socket.slice(0, 3), 'Sec-WebSocket-Version: 1']),
      [400],
    ],
  ])('%s', async (_what, text, codes) => {
    expect(await codesOf(text)).toEqual(codes);
  });
});
