/** Where requests come from, and when, as events tell it. */
import { describe, expect, it } from 'vitest';
import { microClock, microTime } from '../../../../../runtime/access/audit/audit.js';
import { agentOf, sourceAddresses, uriOf } from '../../../../../runtime/access/audit/origin.js';
import type { ApiRequest } from '../../../../../runtime/request/api-request.js';

const request = (headers: ApiRequest['headers'], remote = '10.0.0.1'): ApiRequest => ({
  method: 'GET',
  path: '/api',
  search: '',
  headers,
  remoteAddress: () => remote,
  readBody: () => Promise.resolve({ ok: true, value: new Uint8Array() }),
});

describe('the origin of a request', () => {
  it.each([
    [{}, '10.0.0.1', ['10.0.0.1']],
    [{}, '::ffff:10.0.0.1', ['10.0.0.1']],
    [{}, '', []],
    [{ 'x-forwarded-for': '1.1.1.1, 2.2.2.2' }, '10.0.0.1', ['1.1.1.1', '2.2.2.2', '10.0.0.1']],
    [{ 'x-forwarded-for': 'nobody, 2.2.2.2' }, '2.2.2.2', ['2.2.2.2']],
    [{ 'x-real-ip': '3.3.3.3' }, '10.0.0.1', ['3.3.3.3', '10.0.0.1']],
    [{ 'x-forwarded-for': '3.3.3.3', 'x-real-ip': '3.3.3.3' }, '10.0.0.1', ['3.3.3.3', '10.0.0.1']],
  ])('of %j over %s is %j', (headers, remote, expected) => {
    expect(sourceAddresses(request(headers, remote))).toEqual(expected);
  });

  it('has an agent of bounded length, and the path as it was sent', () => {
    expect(agentOf(request({ 'user-agent': 'a'.repeat(2000) }))).toBe(`${'a'.repeat(1024)}...TRUNCATED`);
    expect(agentOf(request({}))).toBe('');
    expect(uriOf({ ...request({}), search: 'watch=1', basePath: '/under' })).toBe('/under/api?watch=1');
  });
});

describe('the clock', () => {
  it('tells microseconds', () => {
    expect(microTime(1_700_000_000_123.456)).toBe('2023-11-14T22:13:20.123456Z');
    expect(microTime(1_700_000_000_000)).toBe('2023-11-14T22:13:20.000000Z');
  });

  it('agrees with that of the day', () => {
    expect(Math.abs(microClock() - Date.now())).toBeLessThan(5);
  });
});
