/** Lists take a seat for each hundred objects that they read, and other requests take one. */
import { expect, it } from 'vitest';
import { seatsOf } from '../../../../../runtime/access/flow-control/demand.js';
import { requestOf } from '../../../../support/api-requests.js';

const user = { name: 'alice', uid: '', groups: [], extra: {} };

it.each([
  ['get', '', 10_000, 1],
  ['create', '', 10_000, 1],
  ['list', '', 0, 1],
  ['list', '', 100, 1],
  ['list', '', 101, 2],
  ['list', '', 10_000, 10],
  ['list', 'limit=500', 10_000, 5],
  ['list', 'limit=500', 50, 1],
  ['list', 'limit=500&labelSelector=a', 10_000, 10],
  ['list', 'limit=100&resourceVersion=0', 800, 8],
  ['list', 'limit=wrong', 300, 3],
  ['watch', '', 10_000, 1],
  ['watch', 'watch=true&sendInitialEvents=true', 300, 3],
])('%s ?%s of %i objects', (verb, search, objects, seats) => {
  const attributes = { user, verb, group: '', resource: 'pods' };
  expect(seatsOf(attributes, requestOf({ search }), () => objects)).toBe(seats);
});

it('a list of one name takes one', () => {
  const attributes = { user, verb: 'list', group: '', resource: 'pods', name: 'a' };
  expect(seatsOf(attributes, requestOf({}), () => 5000)).toBe(1);
});

it('a path outside of resources takes one', () => {
  expect(seatsOf({ user, verb: 'list', path: '/x' }, requestOf({}), () => 5000)).toBe(1);
});
