/** Which requests are recorded when they are answered, too, as they go on for as long as their client likes. */
import { expect, it } from 'vitest';
import { isLongRunning } from '../../../../../runtime/access/audit/audit.js';

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
