/** Measures how many seats a priority level has had use for, over the time between two adjustments. */
import type { AccessAttributes } from '../../contract/index.js';
import type { ApiRequest } from '../../request/api-request.js';
import { queryOf } from '../../request/query.js';

/** The demand for seats in a period. */
export interface DemandFigures {
  readonly average: number;
  readonly deviation: number;
  /** The most at one moment. */
  readonly high: number;
}

export class Demand {
  /** The most at one moment of this period. */
  high = 0;
  #now = 0;
  #changed: number;
  #began: number;
  /** Seats, and their squares, by milliseconds. */
  #sum = 0;
  #squares = 0;

  constructor(now: number) {
    this.#began = now;
    this.#changed = now;
  }

  /** The demand is `seats` from `now` on, in milliseconds. */
  set(seats: number, now: number): void {
    this.#pass(now);
    this.#now = seats;
    if (seats > this.high) this.high = seats;
  }

  /** Seats that were held for some milliseconds and are free again: a request that never had to wait. */
  add(seats: number, ms: number): void {
    this.#sum += seats * ms;
    this.#squares += (seats * seats + 2 * seats * this.#now) * ms;
  }

  /** The figures of the period that ends now; the next one begins. */
  take(now: number): DemandFigures {
    this.#pass(now);
    const ms = Math.max(now - this.#began, 1e-3);
    const average = this.#sum / ms;
    const figures = { average, deviation: Math.sqrt(Math.max(0, this.#squares / ms - average ** 2)), high: this.high };
    this.#began = now;
    this.#sum = 0;
    this.#squares = 0;
    this.high = this.#now;
    return figures;
  }

  #pass(now: number): void {
    const ms = now - this.#changed;
    this.#sum += this.#now * ms;
    this.#squares += this.#now ** 2 * ms;
    this.#changed = now;
  }
}

/** How much of the smoothed demand stays in each period, where the demand is lower than that. */
const kept = 0.977;

/** Demand that rises at once and falls slowly: a level that was busy a moment ago soon needs its seats again. */
export function smoothed(before: number, { average, deviation }: DemandFigures): number {
  const now = average + deviation;
  return Math.max(now, kept * before + (1 - kept) * now);
}

/** The most seats that a request takes. */
export const mostSeats = 10;

const objectsPerSeat = 100;

/** The number of objects of a resource, in all namespaces. */
type CountObjects = (group: string, resource: string) => number;

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
