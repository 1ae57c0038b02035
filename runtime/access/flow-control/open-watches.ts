/** Counts the watches of each resource. A write is only done when all of them have received its event. */
import type { AccessAttributes } from '../../contract/index.js';
import { type ApiResponse, isStreamed } from '../../request/api-request.js';
import { mostSeats } from './demand.js';

/** The number of watches that one seat serves in `eventMs`. */
const watchesPerSeat = 10;
const eventMs = 5;

/** Seats that a write holds for some milliseconds after its answer. */
export interface LaterWork {
  readonly seats: number;
  readonly ms: number;
}

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

  /** Returns the work that follows a write; `undefined` if there are hardly any watches. */
  workAfter(attributes: AccessAttributes): LaterWork | undefined {
    const watches = this.#open.get(resourceOf(attributes) ?? '') ?? 0;
    if (watches < watchesPerSeat) return undefined;
    const wanted = Math.ceil(watches / watchesPerSeat);
    const seats = Math.min(wanted, mostSeats);
    return { seats, ms: (wanted * eventMs) / seats };
  }

  #add(resource: string, change: number): void {
    const count = (this.#open.get(resource) ?? 0) + change;
    if (count > 0) this.#open.set(resource, count);
    else this.#open.delete(resource);
  }
}

const resourceOf = (attributes: AccessAttributes): string | undefined =>
  'path' in attributes ? undefined : `${attributes.group}/${attributes.resource}`;
