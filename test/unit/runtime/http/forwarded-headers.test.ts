/** The headers of requests that are passed on, and of their answers. */
import { describe, expect, it } from 'vitest';
import { headersOf, rewrittenLocation } from '../../../../runtime/http/forwarded-headers.js';

describe('a redirect', () => {
  const place = { prefix: '/api/v1/namespaces/n/pods/p/proxy', hosts: ['10.0.0.1:80', 'server.example'] };

  it.each([
    ['/login', `${place.prefix}/login`],
    ['/', `${place.prefix}/`],
    ['/a/?next=/b#c', `${place.prefix}/a/?next=/b#c`],
    ['http://10.0.0.1:80/login', `${place.prefix}/login`],
    ['https://server.example/x', `${place.prefix}/x`],
    ['//10.0.0.1:80/x', `${place.prefix}/x`],
    ['http://10.0.0.1:80', `${place.prefix}/`],
    ['http://server.example?x', `${place.prefix}/?x`],
    [`${place.prefix}/login`, `${place.prefix}/login`],
    [`${place.prefix}y`, `${place.prefix}${place.prefix}y`],
    ['login', 'login'],
    ['../login', '../login'],
    ['?page=2', '?page=2'],
    ['', ''],
    ['https://other.example/login', 'https://other.example/login'],
    ['http://10.0.0.1:81/login', 'http://10.0.0.1:81/login'],
    ['//other.example/', '//other.example/'],
    ['mailto:a@b', 'mailto:a@b'],
  ])('to %j leads to %j', (location, rewritten) => {
    expect(rewrittenLocation(location, place)).toBe(rewritten);
  });
});

describe('an answer', () => {
  const place = { prefix: '/p', hosts: [] };

  it('keeps the protocol that it switches to; other answers drop it', () => {
    const raw = ['Connection', 'upgrade', 'Upgrade', 'own/2', 'Sec-WebSocket-Accept', 'x'];
    expect(headersOf(raw, { ...place, switches: true })).toEqual({
      connection: 'Upgrade',
      upgrade: 'own/2',
      'sec-websocket-accept': 'x',
    });
    expect(headersOf(raw, { ...place, switches: false })).toEqual({ 'sec-websocket-accept': 'x' });
  });

  it('may have a header of any name', () => {
    const headers = headersOf(['__proto__', 'a', 'constructor', 'b'], { ...place, switches: false });
    expect(Object.entries(headers)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });
});
