/** Bytes that are not an HTTP request get an answer in plain text, and close their connection. */
import { describe, expect, it } from 'vitest';
import { usualSizes } from '../../../../runtime/http/limits.js';
import { exchange, rawRequest } from '../../../support/raw-http.js';
import { suiteApi } from '../../../support/test-api.js';
import { widgets } from '../../../support/widgets.js';

const api = await suiteApi([widgets]);
const listening = await api.listen();

const ask = (text: string): Promise<string> => exchange(listening.url, text);

const get = (header: string): string => rawRequest('GET /version HTTP/1.1', 'Host: localhost', header);

describe('headers', () => {
  it('may be as large as tokens and selectors need', async () => {
    expect(await ask(get(`X-Large: ${'a'.repeat(200_000)}`))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('that are too large are refused', async () => {
    const answer = await ask(get(`X-Large: ${'a'.repeat(usualSizes.headerBytes)}`));
    expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(answer).toMatch(/\r\n\r\n431 Request Header Fields Too Large$/);
  });
});

it.each([
  ['another protocol', 'EHLO example.com\r\n\r\n'],
  [
    'a body in pieces of no size',
    'POST /apis/example.com/v1/namespaces/default/widgets HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\na\r\n',
  ],
])('%s is a bad request', async (_what, text) => {
  expect(await ask(text)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n.*\r\n\r\n400 Bad Request$/s);
  expect(api.defects).toEqual([]);
});

describe('ambiguous requests are refused', () => {
  it.each([
    ['two hosts', 'GET /version HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n', 400],
    ['two hosts, one of them empty', 'GET /version HTTP/1.1\r\nHost:\r\nhOST: localhost\r\n\r\n', 400],
    [
      'two hosts of a WebSocket',
      'GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      400,
    ],
    ['no host', 'GET /version HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['no version', 'GET /version\r\n\r\n', 400],
    ['no version, and another method', 'POST /version\r\n\r\n', 400],
    ['the version that has no number', 'GET /version HTTP/0.9\r\nHost: localhost\r\n\r\n', 400],
    ['a version that begins in another way', 'GET /version HTTP/2.0\r\nHost: localhost\r\n\r\n', 505],
    ['two lengths', 'GET /version HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na', 400],
    [
      'a length besides pieces',
      'GET /version HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'pieces of another coding',
      'POST /version HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      501,
    ],
    [
      'pieces of a coding in a line of its own',
      'POST /version HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      501,
    ],
    ['pieces in HTTP/1.0', 'POST /version HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['a header that goes on in the next line', 'GET /version HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n c\r\n\r\n', 400],
    ['a space before the colon', 'GET /version HTTP/1.1\r\nHost : localhost\r\n\r\n', 400],
  ])('%s', async (_what, text, code) => {
    const answer = await ask(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${code} `));
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    expect(api.defects).toEqual([]);
  });

  it('except HTTP/1.0, which needs no host', async () => {
    expect(await ask('GET /version HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it('refuses a request for a tunnel, because the server is not a proxy', async () => {
  expect(await ask('CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n')).toMatch(/^HTTP\/1\.1 405 /);
});

describe('the target of a request', () => {
  it.each([
    ['GET http://host.example/version', 200],
    ['GET HTTPS://host.example:8443/version?a=b', 200],
    ['GET http://host.example', 200],
    ['GET http://host.example?a=b', 200],
    ['GET http://host.example/nothing', 404],
    ['GET http://host.example/version%', 400],
    ['OPTIONS *', 200],
    ['GET *', 404],
    ['GET /%76ersion', 200],
    ['GET /version%', 400],
    ['GET /version%7', 400],
    ['GET /%zzversion', 400],
    ['GET /apis/example.com/v1/namespaces/default/widgets/a%g0', 400],
    ['GET /version?a=%zz', 200],
  ])('%s is answered with %i', async (line, code) => {
    const answer = await ask(rawRequest(`${line} HTTP/1.1`, 'Host: localhost'));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${code} `));
  });

  it('has a query, wherever the path is from', async () => {
    const answer = await ask(rawRequest('GET http://host.example/readyz?verbose HTTP/1.1', 'Host: other.example'));
    expect(answer).toMatch(/readyz check passed\n$/);
  });
});
