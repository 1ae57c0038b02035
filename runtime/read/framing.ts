/** How the events of a watch follow each other on the wire; this file has the usual way, one line of JSON each. */
import type { Result, Revision } from '../contract/index.js';
import { parseAccept } from '../objects/scan/media-types.js';
import { headerOf, readRevision } from '../request/api-request.js';
import type { Representation } from '../request/representation/representation.js';
import type { VerbRequest } from '../request/verb-request.js';
import type { ListOptions } from './list-options.js';

/** A way to put events on the wire. What is made of a line for one watcher is shared by all. */
export interface WatchFraming {
  contentType(representation: Representation): string;
  /**
   * Sent before everything else; `withState`: the state comes next, so that what a client knows from before is void.
   */
  opening(withState: boolean): Uint8Array | undefined;
  /** An event of the state that a watch begins with. Nobody can go on from within the state: its revisions jump. */
  state(line: Uint8Array): Uint8Array;
  /** An event after which all changes up to a revision have been sent. */
  change(line: Uint8Array, revision: Revision): Uint8Array;
  /**
   * Says, without an event, that all changes up to a revision have been sent; absent where nothing can say so.
   * `endsState`: and that the state is whole.
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

/**
 * How long clients wait before they connect again, milliseconds: from this up to thrice as long, to not come at once.
 */
const retryMs = 1000;

/** Events by the line of JSON that they carry. Lines are shared by all watchers of a form, and so are these. */
const framed = new WeakMap<Uint8Array, Uint8Array>();

/**
 * Events whose ids are revisions: a client that connects again says the last one, and gets what follows. An id without
 * data is no event, but is remembered; the empty id makes clients forget theirs, and so begin again. Where the state
 * begins and ends is told by events called `state`, which those who wait for messages do not see.
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
    // No event has the id 0: who has got nothing yet begins with the state again, which is as empty.
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
