/** The formats for the events of a watch on the wire: lines of JSON, and event streams. */
import type { Result, Revision } from '../contract/index.js';
import { parseAccept } from '../objects/scan/media-types.js';
import { headerOf, readRevision } from '../request/api-request.js';
import type { Representation } from '../request/representation/representation.js';
import type { VerbRequest } from '../request/verb-request.js';
import type { ListOptions } from './list-options.js';

/** A format for events on the wire. All watchers share the event of a line, which is made once. */
export interface WatchFraming {
  contentType(representation: Representation): string;
  /** Returns the first bytes. If `withState` is true, the state follows, and replaces all that the client knows. */
  opening(withState: boolean): Uint8Array | undefined;
  /** Frames an event of the initial state. Clients cannot resume there, because its revisions are not in order. */
  state(line: Uint8Array): Uint8Array;
  /** Frames an event. After it, the client has all changes up to its revision. */
  change(line: Uint8Array, revision: Revision): Uint8Array;
  /**
   * Returns a mark, without an event, that the client has all changes up to a revision, and with `endsState` that the
   * state is complete. Returns `undefined` if the format has no such marks.
   */
  position(revision: Revision, endsState: boolean): Uint8Array | undefined;
  /** Frames the error that ends a watch. `lost` is true if the client cannot resume from there. */
  failure(line: Uint8Array, lost: boolean): Uint8Array;
  /** The interval of position marks in milliseconds; absent for none. */
  readonly keepAliveMs?: number;
}

const asIs = (line: Uint8Array): Uint8Array => line;

/** Lines of JSON. */
export const lines: WatchFraming = {
  contentType: ({ streamContentType }) => streamContentType,
  opening: () => undefined,
  state: asIs,
  change: asIs,
  position: () => undefined,
  failure: asIs,
};

const mediaType = 'text/event-stream';

/**
 * The interval of signs of life in a stream, in milliseconds. Proxies close streams that are silent for half a minute
 * or longer.
 */
const keepAliveMs = 15_000;

/** The shortest pause before clients reconnect, in milliseconds. The longest is three times that. */
const retryMs = 1000;

/** Events by their line of JSON. All watchers of a form share a line, and so its event. */
const framed = new WeakMap<Uint8Array, Uint8Array>();

/**
 * Events with revisions as ids: a client that reconnects sends the last id, and gets the changes after it. An id
 * without data is not an event, but clients remember it. An empty id makes them start again. Events called `state` mark
 * where the state begins and ends; listeners for messages do not receive them.
 */
export const eventStream: WatchFraming = {
  contentType: () => mediaType,
  opening: (withState) => {
    const retry = `retry: ${Math.round(retryMs * (1 + 2 * Math.random()))}\n\n`;
    return Buffer.from(withState ? `${retry}event: state\ndata: begin\n\n` : retry);
  },
  state: (line) => around('', line),
  change: (line, revision) => {
    let event = framed.get(line);
    if (!event) {
      event = around(`id: ${revision}\n`, line);
      framed.set(line, event);
    }
    return event;
  },
  position: (revision, endsState) => {
    // A client without an id starts again with the state, which is empty at revision 0.
    const id = revision === 0 ? '' : `id: ${revision}\n`;
    return Buffer.from(endsState ? `${id}event: state\ndata: end\n\n` : `${id}\n`);
  },
  failure: (line, lost) => around(lost ? 'id:\n' : '', line),
  keepAliveMs,
};

const newline = Buffer.from('\n');

/** Returns an event around a line. The line must end in its only line feed. */
const around = (fields: string, line: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`${fields}data: `), line, newline]);

/**
 * Returns an Accept header with the format of the events in a stream, or `undefined` if the client does not want an
 * event stream. EventSource cannot set its Accept header, so the query may have it as `accept`.
 */
export function eventStreamAccept(verb: VerbRequest): string | undefined {
  const header = headerOf(verb.request, 'accept');
  if (!header?.includes(mediaType) || parseAccept(header)[0]?.type !== mediaType) return undefined;
  return parseAccept(verb.query.has('accept') ? verb.query.text('accept') : header)
    .map(({ type, parameters }) => {
      const carried = type === mediaType ? 'application/json' : type;
      return [carried, ...[...parameters].map(([name, value]) => `${name}=${value}`)].join(';');
    })
    .join(',');
}

/**
 * Returns the options of a watch that continues after the client's last event; unchanged if the client has no event.
 */
export function resumed(verb: VerbRequest, options: ListOptions): Result<ListOptions> {
  const id = headerOf(verb.request, 'last-event-id') ?? '';
  const revision = readRevision(id, 'Last-Event-ID');
  if (!revision.ok) return revision;
  // No event has the id 0, so it means no event.
  if (!revision.value) return { ok: true, value: options };
  return { ok: true, value: { ...options, revision: revision.value, match: undefined, sendInitialEvents: false } };
}
