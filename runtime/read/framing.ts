/** How the events of a watch follow each other on the wire; this file has the usual way, one line of JSON each. */
import type { Result, Revision } from '../contract/index.js';
import { parseAccept } from '../objects/scan/media-types.js';
import { headerOf, readRevision } from '../request/api-request.js';
import type { Representation } from '../request/representation/representation.js';
import type { VerbRequest } from '../request/verb-request.js';
import type { ListOptions } from './list-options.js';

/** A way to put events on the wire. The event of a line is made once, and shared by all watchers. */
export interface WatchFraming {
  contentType(representation: Representation): string;
  /** Returns what is sent first. If `withState` is true, the state follows, and replaces all that the client knows. */
  opening(withState: boolean): Uint8Array | undefined;
  /** Frames an event of the initial state. Clients cannot resume there, because its revisions are not in order. */
  state(line: Uint8Array): Uint8Array;
  /** An event after which all changes up to a revision have been sent. */
  change(line: Uint8Array, revision: Revision): Uint8Array;
  /**
   * Reports, without an event, that all changes up to a revision have been sent, and with `endsState` that the state is
   * complete. Returns `undefined` if the format cannot do this.
   */
  position(revision: Revision, endsState: boolean): Uint8Array | undefined;
  /** The error that ends a watch; `lost`: nobody can go on from where this one was. */
  failure(line: Uint8Array, lost: boolean): Uint8Array;
  /** How often the position is told while nothing happens, milliseconds; absent for never. */
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
 * How often a stream shows that it is alive, milliseconds; proxies close what is silent for half a minute or longer.
 */
const keepAliveMs = 15_000;

/** The shortest pause before clients reconnect, in milliseconds. The longest is three times that. */
const retryMs = 1000;

/** Events by the line of JSON that they carry. Lines are shared by all watchers of a form, and so are these. */
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

/** An event around a line, which ends in a line feed and has no other. */
const around = (fields: string, line: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`${fields}data: `), line, newline]);

/**
 * The format that the events of a stream carry, as an Accept header; `undefined` where the client wants no
 * event stream. EventSource cannot send an Accept header of its own, so the query may have it as `accept`.
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

/** The options of a watch that goes on after the last event that the client has got; as given where it has got none. */
export function resumed(verb: VerbRequest, options: ListOptions): Result<ListOptions> {
  const id = headerOf(verb.request, 'last-event-id') ?? '';
  const revision = readRevision(id, 'Last-Event-ID');
  if (!revision.ok) return revision;
  // No event has the id 0, so it stands for no event.
  if (!revision.value) return { ok: true, value: options };
  return { ok: true, value: { ...options, revision: revision.value, match: undefined, sendInitialEvents: false } };
}
