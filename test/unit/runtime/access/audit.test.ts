/** Some requests are also recorded when their answer begins, because the client decides how long they last. */
import { describe, expect, it } from 'vitest';
import { isLongRunning } from '../../../../runtime/access/audit.js';
import { agentOf, microClock, microTime, sourceAddresses, uriOf } from '../../../../runtime/access/audit-event.js';
import type { ApiRequest } from '../../../../runtime/request/api-request.js';
import { requestOf } from '../../../support/api-requests.js';

const user = { name: 'anna', uid: '', groups: [], extra: {} };
const about = (verb: string, subresource = '') =>
  isLongRunning({ user, verb, group: '', namespace: 'a', resource: 'pods', name: 'b', subresource });
const at = (path: string) => isLongRunning({ user, verb: 'get', path });

it('are watches, some subresources, and profiles', () => {
  expect([about('watch'), about('create', 'exec'), about('get', 'log'), at('/debug/pprof/profile')]).toEqual(
    Array(4).fill(true),
  );
  expect([about('list'), about('get', 'status'), at('/metrics'), at('/debug/pprof')]).toEqual(Array(4).fill(false));
});

const request = (headers: ApiRequest['headers'], remote = '10.0.0.1'): ApiRequest =>
  requestOf({ path: '/api', headers, remoteAddress: () => remote });

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

  it('has an agent of limited length, and the unchanged path', () => {
    expect(agentOf(request({ 'user-agent': 'a'.repeat(2000) }))).toBe(`${'a'.repeat(1024)}...TRUNCATED`);
    expect(agentOf(request({}))).toBe('');
    expect(uriOf({ ...request({}), search: 'watch=1', basePath: '/under' })).toBe('/under/api?watch=1');
  });
});

describe('the clock', () => {
  it('formats microseconds', () => {
    expect(microTime(1_700_000_000_123.456)).toBe('2023-11-14T22:13:20.123456Z');
    expect(microTime(1_700_000_000_000)).toBe('2023-11-14T22:13:20.000000Z');
  });

  it('agrees with the wall clock', () => {
    expect(Math.abs(microClock() - Date.now())).toBeLessThan(5);
  });
});
