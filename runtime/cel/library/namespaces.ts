/** The namespace of an object as expressions see it, without fields that conditions should not depend on. */
import { Meter } from '../check/range.js';
import { int, list, map, object, string, type Type, timestamp } from '../check/types.js';
import { type Reader, readInt, readList, readMap, readObject, readText, readTimestamp } from '../compile/readers.js';
import type { ObjectType } from '../environment.js';
import type { CelValue } from '../values/value.js';

/** A type, with the reader of its values. */
interface Readable {
  readonly type: Type;
  readonly read: Reader;
}

/** The object types made so far. */
const made: ObjectType[] = [];

/** Makes an object type and its reader. */
function objectOf(name: string, fields: Readonly<Record<string, Readable>>): Readable {
  const entries = Object.entries(fields);
  made.push({ name, fields: Object.fromEntries(entries.map(([field, { type }]) => [field, type])) });
  const readers = Object.fromEntries(entries.map(([property, { read }]) => [property, { property, read }]));
  return { type: object(name), read: readObject(name, readers) };
}

const listOf = ({ type, read }: Readable): Readable => ({ type: list(type), read: readList(read) });

const text: Readable = { type: string, read: readText };
const count: Readable = { type: int, read: readInt };
const moment: Readable = { type: timestamp, read: readTimestamp };
const texts: Readable = { type: map(string, string), read: readMap(readText) };

const namespace = objectOf('kubernetes.Namespace', {
  metadata: objectOf('kubernetes.NamespaceMetadata', {
    name: text,
    generateName: text,
    namespace: text,
    labels: texts,
    annotations: texts,
    // The reference has this name, and finds no value under it.
    UID: text,
    creationTimestamp: moment,
    deletionGracePeriodSeconds: count,
    deletionTimestamp: moment,
    generation: count,
    resourceVersion: text,
    finalizers: listOf(text),
  }),
  spec: objectOf('kubernetes.NamespaceSpec', { finalizers: listOf(text) }),
  status: objectOf('kubernetes.NamespaceStatus', {
    conditions: listOf(
      objectOf('kubernetes.NamespaceCondition', {
        status: text,
        type: text,
        lastTransitionTime: moment,
        message: text,
        reason: text,
      }),
    ),
    phase: text,
  }),
});

/** The type of `namespaceObject`. */
export const namespaceType: Type = namespace.type;

/** The type of `namespaceObject` and the types inside it. */
export const namespaceTypes: readonly ObjectType[] = made;

/** Returns a namespace as a value. */
export const namespaceValue = (json: unknown): CelValue => namespace.read(json, new Meter(undefined));
