/** Headers reach the server unchanged: none is dropped, joined or confused with another one. */
import { createServer } from 'node:http';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Authenticator, Authorizer } from '../../../../runtime/contract/index.js';
import { firstValues, valuesOf } from '../../../../runtime/http/node-request.js';
import { listenLocally } from '../../../support/local-server.js';
import { exchange, rawRequest } from '../../../support/raw-http.js';
import { suiteApi } from '../../../support/test-api.js';
import { widgets, widgetsPath } from '../../../support/widgets.js';

let tokens: unknown[] = [];
const authenticator: Authenticator = {
  name: 'noting',
  authenticate: ({ headers }) => {
    tokens.push(headers.authorization);
    return undefined;
  },
};
let asked: string[] = [];
const authorizer: Authorizer = {
  name: 'noting',
  decide: (attributes) => {
    const name = 'name' in attributes ? attributes.name : '';
    asked.push(`${attributes.user.name} ${attributes.verb} ${name}`.trim());
    return { decision: 'allow' };
  },
};
beforeEach(() => {
  tokens = [];
  asked = [];
});

const api = await suiteApi([widgets], { authenticators: [authenticator], authorizer });
const listening = await api.listen();
const mounted = createServer(api.server.listener);
const port = await listenLocally(mounted);
afterAll(() => void mounted.close());

const ask = (headers: readonly string[], url = listening.url): Promise<string> =>
  exchange(url, Buffer.from(rawRequest(`GET ${widgetsPath} HTTP/1.1`, 'Host: localhost', ...headers)));

const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `X-${i}: a`);

describe('behind many others', () => {
  it.each([0, 990, 1000, 1001, 20_000])('a header counts: %i', async (count) => {
    expect(await ask([...many(count), 'Impersonate-User: bob'])).toMatch(/^HTTP\/1\.1 200 /);
    expect(asked).toEqual(['tester impersonate bob', 'bob list']);
  });

  it("it is refused if the listener's own server may have dropped it", async () => {
    const url = `http://127.0.0.1:${port}`;
    expect(await ask([...many(900), 'Impersonate-User: bob'], url)).toMatch(/^HTTP\/1\.1 200 /);
    expect(asked).toEqual(['tester impersonate bob', 'bob list']);
    asked = [];
    expect(await ask([...many(1000), 'Impersonate-User: bob'], url)).toMatch(/^HTTP\/1\.1 431 /);
    expect(asked).toEqual([]);
    mounted.maxHeadersCount = 20;
    expect(await ask([...many(30), 'Impersonate-User: bob'], url)).toMatch(/^HTTP\/1\.1 431 /);
    mounted.maxHeadersCount = 0;
    expect(await ask([...many(1100), 'Impersonate-User: bob'], url)).toMatch(/^HTTP\/1\.1 200 /);
    expect(asked).toEqual(['tester impersonate bob', 'bob list']);
  });
});

describe('a header that is repeated', () => {
  it('names each group and each extra', async () => {
    await ask([
      'Impersonate-User: bob',
      'Impersonate-Group: a, b',
      'impersonate-group: c',
      'Impersonate-Extra-X: 1',
      'Impersonate-Extra-x: 2, 3',
    ]);
    expect(asked).toEqual([
      'tester impersonate bob',
      'tester impersonate a, b',
      'tester impersonate c',
      'tester impersonate 1',
      'tester impersonate 2, 3',
      'bob list',
    ]);
  });

  it.each([
    ['Authorization', () => tokens],
    ['Impersonate-User', () => [asked[0]?.split(' ').at(-1)]],
  ])('counts the first time: %s', async (name, seen) => {
    await ask([`${name}: first`, `${name}: second`]);
    expect(seen()).toEqual(['first']);
  });

  it('counts the first time: Accept', async () => {
    expect(await ask(['Accept: application/yaml', 'Accept: application/json'])).toMatch(
      /content-type: application\/yaml/i,
    );
    expect(await ask(['Accept: image/png', 'Accept: application/json'])).toMatch(/^HTTP\/1\.1 406 /);
  });

  it('counts the first time: Content-Type', async () => {
    const body = 'kind: Widget';
    const head = (...types: string[]) =>
      rawRequest(`POST ${widgetsPath} HTTP/1.1`, 'Host: localhost', `Content-Length: ${body.length}`, ...types);
    const answer = await exchange(
      listening.url,
      head('Content-Type: text/plain', 'Content-Type: application/yaml') + body,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 415 /);
  });
});

describe('a value', () => {
  it('is its bytes in UTF-8, or each byte as a character if they are not UTF-8', async () => {
    await ask(['Impersonate-User: jürgen']);
    expect(asked[1]).toBe('jürgen list');
    expect(firstValues(['a', '\u00ff', 'b', 'plain', 'c', '\u00c3\u00a4'])).toEqual({
      a: '\u00ff',
      b: 'plain',
      c: 'ä',
    });
  });

  it('is kept whatever its name means elsewhere', () => {
    const raw = ['__proto__', 'a', 'constructor', 'b', 'Constructor', 'c', 'toString', 'd'];
    expect(Object.entries(firstValues(raw))).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['tostring', 'd'],
    ]);
    expect(valuesOf(raw, 'constructor')).toEqual(['b', 'c']);
    expect('valueOf' in firstValues(raw)).toBe(false);
  });
});
