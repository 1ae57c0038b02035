/** Repeated and foreign headers, and upgrades: the server serves only what the authorizer has allowed. */
import { beforeEach, describe, expect, it } from 'vitest';
import { startWitnessedApi } from '../../../../support/witnessed-api.js';
import { exchangeWith, hidden, last, message, paths } from '../../../../support/witnessed-exchange.js';

const witness = await startWitnessedApi();
const listening = await witness.api.listen();
const codesOf = exchangeWith(witness, listening.url);
const { base, closed, open } = paths;
beforeEach(() => witness.reset());

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
  it.each(overrides)('%s does not set the method', async (name) => {
    expect(await codesOf(message(`GET ${open}/a`, [`${name}: DELETE`, last]))).toEqual([200]);
    expect(witness.asked).toMatchObject([{ verb: 'get' }]);
    expect(
      await codesOf(message(`POST ${open}/a?_method=DELETE`, [`${name}: DELETE`, 'Content-Length: 0', last])),
    ).toEqual([405]);
    expect(witness.asked.map(({ verb }) => verb)).toEqual(['get', 'create']);
  });

  it.each(['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Prefix', 'X-Forwarded-Path'])(
    '%s does not set the path',
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
