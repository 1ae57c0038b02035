/** Watch events as bytes, made once per event and form. All watchers with this form share the bytes. */

import type { Entry, JsonObject, Revision, StoreEvent } from '../../contract/index.js';
import type { ResourceVersions, ServedResource } from '../../resource/served-resource.js';
import { storedBytes } from '../../resource/versions.js';
import type { Selection } from '../selection.js';
import type { Representation, WatchEventType, WatchFrameType } from './representation.js';

/** Returns the type of an event for a watcher with a selection: added, changed, removed, or nothing. */
export function seenAs(event: StoreEvent, selection: Selection): WatchEventType | undefined {
  if (selection.everything) return event.type;
  const was = event.previous !== undefined && selection.matches(event.previous);
  const is = event.type !== 'DELETED' && selection.matches(event.entry);
  if (is) return was ? 'MODIFIED' : 'ADDED';
  return was ? 'DELETED' : undefined;
}

/** A frame with its form. `second` is set if the frame contains an age. */
interface SharedFrame {
  readonly resource: ServedResource;
  /** The key of the representation. */
  readonly form: string;
  readonly type: WatchEventType;
  /** Whether it is the first of its watch. */
  readonly first: boolean;
  readonly second: number | undefined;
  readonly frame: Uint8Array;
}

/** The frames of the latest event. All watchers that are not behind get an event one after the other. */
let latest: { readonly event: StoreEvent; readonly frames: SharedFrame[] } | undefined;

/**
 * The frames of older events, for watchers that are behind. Events are short-lived, and the map does not keep them
 * alive.
 */
const ofWaiting = new WeakMap<StoreEvent, SharedFrame[]>();

/** Returns the frame of a new event. The first watcher with a form makes it. */
export function eventFrame(
  resource: ServedResource,
  representation: Representation,
  event: StoreEvent,
  type: WatchEventType,
  first: boolean,
): Uint8Array {
  if (latest?.event !== event) latest = { event, frames: [] };
  return sharedFrame(latest.frames, resource, representation, event, type, first);
}

/** Returns the frame of an older event, for a watcher that is behind. */
export function waitingFrame(
  resource: ServedResource,
  representation: Representation,
  event: StoreEvent,
  type: WatchEventType,
  first: boolean,
): Uint8Array {
  let frames = ofWaiting.get(event);
  if (!frames) {
    frames = [];
    ofWaiting.set(event, frames);
  }
  return sharedFrame(frames, resource, representation, event, type, first);
}

function sharedFrame(
  frames: SharedFrame[],
  resource: ServedResource,
  representation: Representation,
  event: StoreEvent,
  type: WatchEventType,
  first: boolean,
): Uint8Array {
  const { key: form } = representation;
  const second = representation.second?.();
  const at = frames.findIndex(
    (known) => known.type === type && known.first === first && known.resource === resource && known.form === form,
  );
  const known = frames[at];
  if (known && known.second === second) return known.frame;
  const frame = entryFrame(resource, representation, shownEntry(resource, event, type), type, first);
  frames[at < 0 ? frames.length : at] = { resource, form, type, first, second, frame };
  return frame;
}

/** Returns the last state of an object that leaves a selection, with the revision of the change. */
export function shownEntry(resource: ResourceVersions, event: StoreEvent, type: WatchEventType): Entry {
  const { previous } = event;
  if (type !== 'DELETED' || event.type === 'DELETED' || !previous) return event.entry;
  const { key, attributes } = previous;
  const bytes = restamp(resource, storedBytes(resource.stored, previous), event.revision);
  return { key, revision: event.revision, bytes, attributes: { labels: attributes.labels, fields: attributes.fields } };
}

/** Returns the same object with another revision. The revision follows directly after the head of the resource. */
function restamp({ stored }: ResourceVersions, bytes: Uint8Array, revision: Revision): Uint8Array {
  const start = Buffer.byteLength(stored.head);
  const end = bytes.indexOf(quote, start);
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(String(revision)), bytes.subarray(end)]);
}

const quote = 0x22;

/** Makes an event around the bytes of an entry. */
export function entryFrame(
  resource: ServedResource,
  representation: Representation,
  entry: Entry,
  type: WatchEventType,
  first: boolean,
): Uint8Array {
  return representation.frame(type, representation.event(resource, entry, first));
}

const heads: Readonly<Record<WatchFrameType, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
  BOOKMARK: Buffer.from('{"type":"BOOKMARK","object":'),
  ERROR: Buffer.from('{"type":"ERROR","object":'),
};
const tail = Buffer.from('}\n');

/** Makes a frame of JSON: one line around an object. */
export const frameLine = (type: WatchFrameType, object: Uint8Array): Uint8Array =>
  Buffer.concat([heads[type], object, tail]);

/** Makes the frame that ends a watch with a Status. */
export const errorFrame = (representation: Representation, status: JsonObject): Uint8Array =>
  representation.frame('ERROR', representation.status(status));
