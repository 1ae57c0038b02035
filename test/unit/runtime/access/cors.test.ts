/** Pages of other origins: the patterns that allow them, the headers they get, and the requests they may send. */
import { describe, expect, it } from 'vitest';
import { mayMatchLongerHosts, originPatternProblem, originsOf } from '../../../../runtime/access/pages.js';
import { exchange, rawRequest } from '../../../support/raw-http.js';
import { suiteApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

describe('a pattern', () => {
  it.each([
    ['^https://example\\.com$', ['https://example.com'], ['https://example.com:8080', 'http://example.com']],
    [
      '//example\\.com(:|$)',
      ['https://example.com', 'http://example.com:8080'],
      ['https://a.example.com', 'https://example.com.evil.example', 'https://example.org'],
    ],
    [
      '^https://[a-z]+\\.example\\.com(:|$)',
      ['https://shop.example.com', 'https://shop.example.com:1'],
      ['https://a.b.example.com', 'https://example.com', 'https://evil.example/.example.com'],
    ],
    ['(?i)^https://example\\.com$', ['https://EXAMPLE.com'], []],
    ['^https://example\\.com$', [], ['https://EXAMPLE.com', '', 'null']],
    ['^http://foo.com', ['http://foo.com', 'http://foo.com.evil.example'], ['https://foo.com']],
    ['^null$', ['null'], ['file://']],
    ['^https://(a|a)*$', [`https://${'a'.repeat(500)}`], [`https://${'a'.repeat(500)}b`, `https://${'a'.repeat(600)}`]],
  ])('%s matches %j, not %j', (source, inside, outside) => {
    expect(originPatternProblem(source)).toBe(undefined);
    const allows = originsOf(['^none$', source]);
    expect(inside.filter((origin) => !allows(origin))).toEqual([]);
    expect(outside.filter(allows)).toEqual([]);
  });

  it.each([
    ['^http://foo.com$', false],
    ['://foo.com$', false],
    ['//foo.com(:|$)', false],
    ['(^foo.com$)', false],
    ['^http://foo.com', true],
    ['://foo.com', true],
  ])('%s is accepted; it may match longer hosts: %s', (source, expected) => {
    expect(originPatternProblem(source)).toBe(undefined);
    expect(mayMatchLongerHosts(source)).toBe(expected);
  });

  it.each([
    ['', 'is empty'],
    ['^foo.com', 'matches other hosts too; anchor its start with ^ or //, and its end with $ or :'],
    ['//foo.com', 'matches other hosts too'],
    ['foo.com$', 'matches other hosts too'],
    ['foo.com(:|$)', 'matches other hosts too'],
    ['.*', 'matches other hosts too'],
    ['^https://(foo.com$', 'is not a valid regular expression: error parsing regexp: missing closing )'],
    ['^https://(?=a)$', 'is not a valid regular expression: error parsing regexp'],
    [`^${'a'.repeat(20_000)}$`, 'is not a valid regular expression: error parsing regexp: expression too large'],
  ])('%j is refused', (source, problem) => {
    expect(originPatternProblem(source)).toContain(problem);
  });
});

describe('a server that shares with some origins', async () => {
  const api = await suiteApi([widgets], { corsAllowedOrigins: ['^https://console\\.example\\.com(:|$)'] });
  const listening = await api.listen();
  const friend = 'https://console.example.com';
  const stranger = 'https://console.example.com.evil.example';

  const send = async (method: string, path: string, origin: string, ...more: string[]) => {
    const headers = ['Host: localhost', ...(origin === '' ? [] : [`Origin: ${origin}`]), ...more];
    const body = method === 'POST' ? JSON.stringify(widget(`w${Math.random()}`)) : '';
    const length = `Content-Length: ${body.length}`;
    const answer = await exchange(listening.url, rawRequest(`${method} ${path} HTTP/1.1`, length, ...headers) + body);
    const [head = ''] = answer.split('\r\n\r\n');
    const shared = Object.fromEntries(
      [...head.matchAll(/^access-control-([a-z-]+): (.*)$/gim)].map(([, name, value]) => [name, value?.trim()]),
    );
    return { code: Number(head.split(' ')[1]), shared, answer };
  };

  const toldTo = (origin: string) => ({
    'allow-origin': origin,
    'allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
    'allow-headers':
      'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
    'expose-headers': 'Date',
    'allow-credentials': 'true',
  });
  const elsewhere = 'Sec-Fetch-Site: cross-site';

  it.each([
    ['OPTIONS', widgetsPath, friend, [], 204, true],
    ['OPTIONS', '/nothing/at/all', friend, [], 204, true],
    ['OPTIONS', widgetsPath, `${friend}:8443`, ['Access-Control-Request-Method: DELETE'], 204, true],
    ['OPTIONS', widgetsPath, stranger, [], 403, false],
    ['OPTIONS', widgetsPath, '', [], 405, false],
    ['GET', widgetsPath, friend, [elsewhere], 200, true],
    ['GET', `${widgetsPath}/nothing`, friend, [elsewhere], 404, true],
    ['GET', widgetsPath, stranger, [elsewhere], 200, false],
    ['GET', widgetsPath, '', [], 200, false],
    ['GET', '/readyz', friend, [], 200, true],
    ['POST', widgetsPath, friend, [elsewhere], 201, true],
    ['POST', widgetsPath, stranger, [], 403, false],
    ['POST', widgetsPath, 'http://127.0.0.1:1', [], 201, false],
    ['POST', widgetsPath, 'null', [], 403, false],
    ['POST', widgetsPath, '', [], 201, false],
    ['DELETE', `${widgetsPath}/nothing`, friend, [elsewhere], 404, true],
    ['GET', widgetsPath, friend, ['Host: evil.example'], 400, false],
  ])('%s %s from %j with %j: %i, with headers for the page: %s', async (method, path, origin, more, code, isTold) => {
    const { shared, ...answer } = await send(method, path, origin, ...more);
    expect(answer.code).toBe(code);
    expect(shared).toEqual(isTold ? toldTo(origin) : {});
    expect(answer.answer).toMatch(code === 400 ? /400/ : /^audit-id: /im);
    if (code === 204) expect(answer.answer).not.toMatch(/^content-length/im);
  });

  it('opens WebSockets for them, and for no others', async () => {
    const socket = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='];
    const open = (origin: string) => {
      const lines = [
        `GET ${widgetsPath}?watch=true&timeoutSeconds=1 HTTP/1.1`,
        'Connection: Upgrade',
        'Host: localhost',
      ];
      return exchange(listening.url, [...lines, `Origin: ${origin}`, ...socket, '', ''].join('\r\n'), 1000);
    };
    expect(await open(friend)).toMatch(/^HTTP\/1\.1 101 /);
    expect(await open(stranger)).toMatch(/^HTTP\/1\.1 403 /);
  });
});
