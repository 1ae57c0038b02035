/** Estimates how many seats a request takes: lists take one for each hundred objects that they read. */
import type { AccessAttributes } from '../../contract/index.js';
import type { ApiRequest } from '../../request/api-request.js';
import { queryOf } from '../../request/query.js';

/** The most seats that a request takes. */
export const mostSeats = 10;

const objectsPerSeat = 100;

/** The number of objects of a resource, in all namespaces. */
export type CountObjects = (group: string, resource: string) => number;

export function seatsOf(attributes: AccessAttributes, { search }: ApiRequest, count: CountObjects): number {
  if (attributes.verb !== 'list' && attributes.verb !== 'watch') return 1;
  if ('path' in attributes || (attributes.name ?? '') !== '') return 1;
  if (attributes.verb === 'watch' && !sendsState(search)) return 1;
  const stored = count(attributes.group, attributes.resource);
  const read = Math.min(stored, readObjects(search, stored));
  return Math.max(1, Math.min(mostSeats, Math.ceil(read / objectsPerSeat)));
}

const sendsState = (search: string): boolean => search !== '' && queryOf(search).boolean('sendInitialEvents') === true;

/** A chunk reads as many objects as it may have, and a selector all of them; at any revision there are no chunks. */
function readObjects(search: string, stored: number): number {
  if (search === '') return stored;
  const query = queryOf(search);
  const limit = query.integer('limit');
  if (!limit.ok || !limit.value) return stored;
  const revision = query.text('resourceVersion');
  const selects = query.text('labelSelector') !== '' || query.text('fieldSelector') !== '';
  if (selects || (revision === '0' && query.text('continue') === '')) return stored;
  return limit.value;
}
