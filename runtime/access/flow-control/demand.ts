/** Computes the needed seats: of a priority level in a period, of a list, and of a write to a watched resource. */
import type { AccessAttributes } from '../../contract/index.js';
import { type ApiRequest, type ApiResponse, isStreamed, queryOf } from '../../request/api-request.js';

/** The demand for seats in a period. */
export interface DemandFigures {
  readonly average: number;
  readonly deviation: number;
  /** The maximum at any moment. */
  readonly high: number;
}

export class Demand {
  /** The maximum of this period. */
  high = 0;
  #now = 0;
  #changed: number;
  #began: number;
  /** Sums of seats, and of their squares, weighted by milliseconds. */
  #sum = 0;
  #squares = 0;

  constructor(now: number) {
    this.#began = now;
    this.#changed = now;
  }

  /** Sets the demand to `seats` from `now` on, in milliseconds. */
  set(seats: number, now: number): void {
    this.#pass(now);
    this.#now = seats;
    if (seats > this.high) this.high = seats;
  }

  /** Adds seats that a request without a wait held for some milliseconds. */
  add(seats: number, ms: number): void {
    this.#sum += seats * ms;
    this.#squares += (seats * seats + 2 * seats * this.#now) * ms;
  }

  /** Returns the figures of the period that ends now, and begins the next one. */
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

/** The factor by which the smoothed demand falls per period. */
const kept = 0.977;

/**
 * Smooths the demand: it rises at once and falls slowly, because a level that was just busy soon needs its seats again.
 */
export function smoothed(before: number, { average, deviation }: DemandFigures): number {
  const now = average + deviation;
  return Math.max(now, kept * before + (1 - kept) * now);
}

/** The most seats of one request. */
export const mostSeats = 10;

const objectsPerSeat = 100;

/** Returns the number of objects of a resource in all namespaces. */
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

/**
 * Returns the number of objects that a list reads. A chunk reads up to its limit, and a selector reads all. Reads at
 * any revision are not chunked.
 */
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

/** The number of watches that one seat serves in `eventMs`. */
const watchesPerSeat = 10;
const eventMs = 5;

/** Seats that a write holds for some milliseconds after its answer. */
interface LaterWork {
  readonly seats: number;
  readonly ms: number;
}

/** Returns the work that follows a write with this many watches; `undefined` if there are hardly any. */
export function workAfter(watches: number): LaterWork | undefined {
  if (watches < watchesPerSeat) return undefined;
  const wanted = Math.ceil(watches / watchesPerSeat);
  const seats = Math.min(wanted, mostSeats);
  return { seats, ms: (wanted * eventMs) / seats };
}

/** Counts the watches of each resource: a write is done only when all of them have its event. */
export class OpenWatches {
  readonly #open = new Map<string, number>();

  /** Counts a watch until its answer ends, and returns the answer. */
  counted(attributes: AccessAttributes, answer: ApiResponse): ApiResponse {
    const { body } = answer;
    const resource = resourceOf(attributes);
    if (resource === undefined || !isStreamed(body)) return answer;
    return {
      ...answer,
      body: {
        ...body,
        stream: (sink) => {
          this.#add(resource, 1);
          const stop = body.stream(sink);
          let isOpen = true;
          return () => {
            stop();
            if (isOpen) this.#add(resource, -1);
            isOpen = false;
          };
        },
      },
    };
  }

  /** Returns the number of open watches of the resource that a request is about. */
  countOf(attributes: AccessAttributes): number {
    return this.#open.get(resourceOf(attributes) ?? '') ?? 0;
  }

  #add(resource: string, change: number): void {
    const count = (this.#open.get(resource) ?? 0) + change;
    if (count > 0) this.#open.set(resource, count);
    else this.#open.delete(resource);
  }
}

const resourceOf = (attributes: AccessAttributes): string | undefined =>
  'path' in attributes ? undefined : `${attributes.group}/${attributes.resource}`;
