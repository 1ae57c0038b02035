/** Counts the watches of each resource, as a write is not done before all of them have been sent its event. */
import type { AccessAttributes } from '../../contract/index.js';
import { type ApiResponse, isStreamed } from '../../request/api-request.js';
import { mostSeats } from './demand.js';

/** Watches to which one seat sends an event in `eventMs`. */
const watchesPerSeat = 10;
const eventMs = 5;

/** Seats that a write holds for some milliseconds after its answer. */
export interface LaterWork {
  readonly seats: number;
  readonly ms: number;
}

export class OpenWatches {
  readonly #open = new Map<string, number>();

  /** The answer to a watch, which counts for as long as it is sent. */
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

  /** The work that follows a write; `undefined` where next to nobody watches. */
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
