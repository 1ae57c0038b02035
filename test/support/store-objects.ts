/** Objects, sinks and comparisons for the tests of storage. */
import type {
  AttributeReader,
  Commit,
  EncodedObject,
  Entry,
  Key,
  Revision,
  Snapshot,
  Store,
  StoreEvent,
  WatchSink,
} from '../../runtime/contract/index.js';
import { isObject, isStringMap } from '../../runtime/objects/guards.js';

/** Encodes an object with this content. Its label `value` and its selectable field `spec.value` have the same value. */
export function encoded(value: string): EncodedObject {
  const head = `{"kind":"Thing","apiVersion":"v1","metadata":{"labels":{"value":${JSON.stringify(value)}},"resourceVersion":"`;
  const text = `${head}"},"spec":{"resourceVersion":"7","value":${JSON.stringify(value)}}}`;
  return { text, revisionAt: head.length, attributes: { labels: { value }, fields: { 'spec.value': value } } };
}

/** Returns the attributes that `encoded` gives. */
export const readAttributes: AttributeReader = (_key, { metadata, spec }) => {
  const labels = isObject(metadata) && isStringMap(metadata.labels) ? metadata.labels : {};
  return { labels, fields: { 'spec.value': specValue(spec) } };
};

function specValue(spec: unknown): string {
  return typeof spec === 'object' && spec !== null && 'value' in spec ? String(spec.value) : '';
}

/** Reads the content of an object that `encoded` made. */
export const contentOf = (entry: Entry | undefined): string | undefined =>
  entry && specValue(JSON.parse(textOf(entry)).spec);

export function textOf(entry: Entry): string {
  return Buffer.from(entry.bytes).toString();
}

/** Returns the expected bytes of an entry: the object with the revision in its place. */
export function stamped(value: string, revision: Revision): string {
  const { text, revisionAt } = encoded(value);
  return `${text.slice(0, revisionAt)}${revision}${text.slice(revisionAt)}`;
}

/** Commits a change. Fails if the store refuses it. */
export async function commit(store: Store, key: Key, expected: Revision, value?: string): Promise<Entry> {
  const answer = await store.commit(value === undefined ? { key, expected } : { key, expected, next: encoded(value) });
  return committed(answer);
}

export function committed(answer: Commit): Entry {
  if (answer.outcome === 'failed') throw new Error(`expected a commit: ${answer.failure.message}`);
  if (answer.outcome === 'conflict') throw new Error(`expected a commit, met revision ${answer.current?.revision}`);
  return answer.entry;
}

/** Lists. Fails if the store refuses the list. */
export function listed(store: Store, ...[prefix, options]: Parameters<Store['list']>): Snapshot {
  const snapshot = store.list(prefix, options);
  if (typeof snapshot === 'string') throw new Error(`the list was refused: ${snapshot}`);
  return snapshot;
}

export const keysOf = (snapshot: Snapshot): readonly Key[] => snapshot.entries.map((entry) => entry.key);

/** A sink that keeps what it gets. */
export class Recorder implements WatchSink {
  readonly events: StoreEvent[] = [];
  end: string | undefined;

  event(event: StoreEvent): void {
    this.events.push(event);
  }

  ended(reason: 'compacted' | 'closed'): void {
    this.end = reason;
  }

  get summary(): readonly string[] {
    return this.events.map(({ type, entry }) => `${type} ${entry.key} ${contentOf(entry)}`);
  }
}

/** Records a watch from a revision. Fails if the store refuses the watch. */
export function watching(store: Store, prefix: string, from: Revision): Recorder & { stop(): void } {
  const recorder = new Recorder();
  const subscription = store.watch(prefix, from, recorder);
  if (typeof subscription === 'string') throw new Error(`the watch was refused: ${subscription}`);
  return Object.assign(recorder, { stop: () => subscription.stop() });
}
