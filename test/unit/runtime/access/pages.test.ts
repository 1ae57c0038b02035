/**
 * Pages in browsers: by method, content type, origin and host name, over sockets, mounted or not, and over WebSocket.
 */
import { describe, expect, it } from 'vitest';
import { allowsOrigin, defineHostNames, type PageRules, refusalOfPage } from '../../../../runtime/access/pages.js';
import { requestOf } from '../../../support/api-requests.js';
import { makeServerCertificate } from '../../../support/certificates.js';
import { exchange, rawRequest } from '../../../support/raw-http.js';
import { suiteApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

const allowedOrigins = ['https://console.example.com'];
const names = defineHostNames(['kf.example.com']);
const letsAnyoneIn: PageRules = { allowedOrigins, names };
const asksForCredentials: PageRules = { allowedOrigins };

const asked = (method: string, headers: Readonly<Record<string, string>>, more = {}) =>
  requestOf({ method, path: widgetsPath, headers, ...more });

const own = { host: '127.0.0.1:8080' };
const writes = ['POST', 'PUT', 'PATCH', 'DELETE'];
const reads = ['GET', 'HEAD'];
const contentTypes = [
  undefined,
  '',
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
];

const foreign: Readonly<Record<string, string>>[] = [
  { origin: 'http://evil.example' },
  { origin: 'http://evil.example:8080' },
  { origin: 'null' },
  { origin: 'file://' },
  { origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'Cross-Site' },
  { 'sec-fetch-site': 'a-value-of-later-browsers' },
  { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'cross-site' },
  { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' },
];

const known: Readonly<Record<string, string>>[] = [
  {},
  { 'sec-fetch-site': 'none' },
  { origin: 'http://127.0.0.1:8080' },
  { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' },
  { origin: 'https://console.example.com' },
  { origin: 'https://console.example.com', 'sec-fetch-site': 'cross-site' },
  { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-origin' },
];

describe.each([
  ['where anyone is let in', letsAnyoneIn],
  ['where credentials are asked for', asksForCredentials],
])('%s', (_where, rules) => {
  const isRefused = (method: string, headers: Readonly<Record<string, string>>) =>
    refusalOfPage(rules, asked(method, { ...own, ...headers }))?.reason === 'Forbidden';

  it.each(foreign)('a page with %j may read, but not write', (headers) => {
    for (const type of contentTypes) {
      const all = type === undefined ? headers : { ...headers, 'content-type': type };
      expect(writes.filter((method) => isRefused(method, all))).toEqual(writes);
      expect(reads.filter((method) => isRefused(method, all))).toEqual([]);
    }
  });

  it.each(known)('a client with %j may write', (headers) => {
    for (const type of contentTypes) {
      const all = type === undefined ? headers : { ...headers, 'content-type': type };
      expect([...writes, ...reads].filter((method) => isRefused(method, all))).toEqual([]);
    }
  });

  it.each([
    ['origin', ['http://127.0.0.1:8080', 'http://evil.example']],
    ['origin', ['https://console.example.com', 'http://evil.example']],
    ['sec-fetch-site', ['same-origin', 'cross-site']],
  ])('a page with the header %s more than once, as %j, may not write', (name, values) => {
    const twice = asked('POST', { ...own, [name]: values[0] ?? '' }, { valuesOf: () => values });
    expect(refusalOfPage(rules, twice)?.reason).toBe('Forbidden');
  });

  it('only pages that may write can open a WebSocket', () => {
    const socket = { upgrade: 'WebSocket', connection: 'Upgrade' };
    const isOpened = (headers: Readonly<Record<string, string>>) => !isRefused('GET', { ...socket, ...headers });
    expect(foreign.filter(({ origin }) => origin?.includes('evil') || origin === 'null').filter(isOpened)).toEqual([]);
    expect(known.filter((headers) => !isOpened(headers))).toEqual([]);
  });
});

describe('the host name of a request', () => {
  const ok = [
    'localhost',
    'localhost:80',
    'LOCALHOST:8080',
    'a.localhost',
    '127.0.0.1',
    '127.9.9.9:1',
    '[::1]',
    '[::1]:8080',
    'localhost.',
  ];
  const others = [
    'evil.example',
    'evil.example:8080',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '10.0.0.1',
    '0.0.0.0',
    '[::2]',
    '',
    '::::',
    'a@localhost',
    'localhost/x',
    'xlocalhost',
    'evil.kf.example.com',
  ];

  it.each([...ok, 'kf.example.com', 'KF.example.com:443'])('may be %j if the server lets anyone in', (host) => {
    for (const method of [...reads, ...writes])
      expect(refusalOfPage(letsAnyoneIn, asked(method, { host }))).toBeUndefined();
  });

  it.each(others)('may not be %j then', (host) => {
    for (const method of [...reads, ...writes, 'OPTIONS']) {
      expect(refusalOfPage(letsAnyoneIn, asked(method, { host }))?.reason).toBe('Forbidden');
    }
    expect(refusalOfPage(letsAnyoneIn, asked('GET', { ':authority': host }))?.reason).toBe('Forbidden');
  });

  it.each([...ok, ...others])('may be %j if the server asks for credentials', (host) => {
    expect(refusalOfPage(asksForCredentials, asked('GET', { host }))).toBeUndefined();
  });

  it('may be a name in the certificate', async () => {
    const { cert } = await makeServerCertificate('api.example.com');
    const certified = defineHostNames([]);
    expect(certified.has('api.example.com:443')).toBe(false);
    certified.useCertificates([cert]);
    expect(certified.has('api.example.com:443')).toBe(true);
    expect(certified.has('evil.example')).toBe(false);
  });

  it('is not checked for whole URLs, which no browser sends, nor for clients in the same process', () => {
    expect(refusalOfPage(letsAnyoneIn, asked('GET', { host: 'evil.example' }, { throughProxy: true }))).toBeUndefined();
    expect(refusalOfPage(letsAnyoneIn, asked('GET', {}))).toBeUndefined();
  });
});

describe('over HTTP', async () => {
  const api = await suiteApi([widgets]);
  const listening = await api.listen();
  const post = (name: string, ...headers: string[]) => {
    const body = JSON.stringify(widget(name));
    const head = rawRequest(`POST ${widgetsPath} HTTP/1.1`, `Content-Length: ${body.length}`, ...headers);
    return exchange(listening.url, head + body);
  };

  it('a refusal is a Status, and writes nothing', async () => {
    const answer = await post('evil', 'Host: localhost', 'Origin: http://evil.example', 'Sec-Fetch-Site: cross-site');
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('"reason":"Forbidden"');
    expect(await post('evil', 'Host: evil.example')).toMatch(/^HTTP\/1\.1 403 /);
    expect((await api.send('GET', `${widgetsPath}/evil`)).code).toBe(404);
    expect(await post('good', 'Host: localhost', 'Content-Type: application/json')).toMatch(/^HTTP\/1\.1 201 /);
  });

  it('a WebSocket to an unknown name is refused', async () => {
    const line = `GET ${widgetsPath}?watch=true HTTP/1.1`;
    const socket = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='];
    const text = [
      line,
      'Connection: Upgrade',
      'Host: evil.example:80',
      'Origin: http://evil.example:80',
      ...socket,
      '',
      '',
    ];
    expect(await exchange(listening.url, text.join('\r\n'))).toMatch(/^HTTP\/1\.1 403 /);
  });
});

const allowed = ['https://console.example.com'];

describe('a WebSocket', () => {
  it.each([
    [undefined, '127.0.0.1:8080'],
    ['http://127.0.0.1:8080', '127.0.0.1:8080'],
    ['http://localhost:5173', '127.0.0.1:8080'],
    ['http://[::1]:5173', 'localhost:8080'],
    ['http://app.localhost', '[::1]:8080'],
    ['https://api.example.com', 'api.example.com'],
    ['https://api.example.com', 'api.example.com:443'],
    ['https://api.example.com:8443', 'API.example.com:8443'],
    ['https://console.example.com', 'api.example.com'],
  ])('may be opened by a page of %s at %s', (origin, host) => {
    expect(allowsOrigin(origin, host, allowed)).toBe(true);
  });

  it.each([
    ['https://evil.example', '127.0.0.1:8080'],
    ['http://127.0.0.1.evil.example', '127.0.0.1:8080'],
    ['http://localhost.evil.example', 'localhost:8080'],
    ['http://localhost:5173', 'api.example.com'],
    ['https://api.example.com:8443', 'api.example.com'],
    ['http://api.example.com', 'api.example.com:443'],
    ['https://console.example.com.evil.example', 'api.example.com'],
    ['null', '127.0.0.1:8080'],
    ['file://', '127.0.0.1:8080'],
    ['', '127.0.0.1:8080'],
    ['http://127.0.0.1:8080', undefined],
    ['http://127.0.0.1:8080', '::::'],
  ])('may not be opened by a page of %j at %s', (origin, host) => {
    expect(allowsOrigin(origin, host, allowed)).toBe(false);
  });
});
