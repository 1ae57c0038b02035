/** Reads the selectable attributes of objects from a store while it opens. */

import { behindValue } from '../codec/json.js';
import type {
  AttributeReader,
  Attributes,
  JsonObject,
  Key,
  KindHandlers,
  NamedConversion,
  ResourceModule,
  Store,
} from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { isApiObject } from '../objects/guards.js';
import { memoizeByObject } from '../objects/memoize.js';
import type { Naming } from '../objects/names/naming.js';
import { attributesOf } from '../resource/encoding.js';
import {
  loadAll,
  objectOf,
  type ResourceNames,
  type ResourceVersions,
  type ServedResource,
} from '../resource/served-resource.js';
import { asCurrent, isStranger } from '../resource/versions.js';
import { storedResourceOf, underNaming } from './module-naming.js';
import { buildRegistry, type Registry } from './registry.js';

/** Objects that are stored in a version or scope that the definition of their kind does not have. */
export interface Strangers {
  /** As in `ovens.bakery.example.com`. */
  readonly resource: string;
  /** The scope of the objects, if it is what the definition does not have. Otherwise, it lacks the version. */
  readonly scope?: ResourceModule['scope'];
  readonly version: string;
  readonly objects: number;
}

/** A reader that remembers whether it met objects of unknown versions or scopes. */
export interface RememberingReader extends AttributeReader {
  /** Lists the strangers in a store, by resource, version and scope. Only searches the store if the reader has met any. */
  strangersIn(store: Pick<Store, 'list'>): readonly Strangers[];
}

/**
 * Makes a reader for the resources of these modules. Objects of other resources keep their labels and no fields. Marks
 * objects in another version than the stored one, or under an earlier name of their kind, as outdated, and loads the
 * code that converts them before the store is open, for readers that cannot wait.
 */
export function attributeReader(
  modules: readonly ResourceModule[],
  naming: Naming,
  handlers: readonly KindHandlers[] = [],
  conversions: readonly NamedConversion[] = [],
): RememberingReader {
  const build = (): Registry =>
    buildRegistry({
      modules: modules.map((module) => underNaming(module, naming)),
      handlers,
      plugins: [],
      featureEnabled: () => true,
      conversions,
      rename: naming.rename,
    });
  // Built with the first object that is read, because an empty store needs none.
  let registry: Registry | undefined;
  const outdated = new Set<ServedResource>();
  const withStrangers = new Set<ServedResource>();
  const read = (key: Key, object: JsonObject): Attributes => {
    if (!isApiObject(object)) return { labels: {}, fields: {} };
    registry ??= build();
    const resource = registry.stored(...groupAndPlural(key));
    if (!resource) return { labels: object.metadata.labels ?? {}, fields: {} };
    if (!isInScope(resource, key)) {
      withStrangers.add(resource);
      return { labels: object.metadata.labels ?? {}, fields: {}, outdated: true };
    }
    const isOfVersion = object.apiVersion === resource.apiVersion;
    if (isOfVersion && object.kind === resource.module.names.kind) return attributesOf(resource, object);
    if (isStranger(resource, object)) withStrangers.add(resource);
    if (!outdated.has(resource)) {
      outdated.add(resource);
      // Callers that wait for the reader get the error.
      Promise.resolve(resource.ready()).catch(() => undefined);
    }
    // Conversion does not change labels.
    if (resource.fieldPaths.length === 0) return { labels: object.metadata.labels ?? {}, fields: {}, outdated: true };
    return { ...attributesOf(resource, asCurrent(resource, clone(object))), outdated: true };
  };
  const heads = memoizeByObject(({ head }: ResourceNames) => Buffer.from(head));
  const isCurrent = (key: Key, bytes: Uint8Array): boolean => {
    registry ??= build();
    const resource = registry.stored(...groupAndPlural(key));
    if (resource && !isInScope(resource, key)) return false;
    return beginsWith(bytes, resource ? heads(resource) : anyHead) && isClosed(bytes);
  };
  const cutOut = (key: Key, bytes: Uint8Array): Attributes | undefined => {
    registry ??= build();
    const resource = registry.stored(...groupAndPlural(key));
    return resource && resource.fieldPaths.length > 0 ? undefined : { labels: storedLabels(bytes), fields: {} };
  };
  const ready = async (): Promise<void> => {
    await loadAll(convertedForFields(modules));
    await Promise.all([...outdated].map((resource) => resource.ready()));
  };
  const strangersIn = (store: Pick<Store, 'list'>): readonly Strangers[] =>
    [...withStrangers].flatMap((resource) => strangersOf(resource, store));
  return Object.assign(read, { ready, isCurrent, cutOut, strangersIn });
}

function strangersOf(resource: ResourceNames & ResourceVersions, store: Pick<Store, 'list'>): readonly Strangers[] {
  const listed = store.list(resource.keyPrefix, {});
  const counts = new Map<string, Strangers>();
  for (const entry of typeof listed === 'string' ? [] : listed.entries) {
    const object = entry.outdated ? objectOf(entry) : undefined;
    if (!object) continue;
    const scope = isInScope(resource, entry.key) ? undefined : scopeOf(entry.key);
    if (!scope && !isStranger(resource, object)) continue;
    const version = object.apiVersion.slice(object.apiVersion.indexOf('/') + 1);
    const name = `${version} ${scope}`;
    const objects = (counts.get(name)?.objects ?? 0) + 1;
    counts.set(name, { resource: resource.groupResource, version, ...(scope && { scope }), objects });
  }
  return [...counts.values()];
}

const isInScope = ({ module }: ResourceNames, key: Key): boolean => module.scope === scopeOf(key);

/** Returns the scope of an object. Keys in namespaces have one part more. */
function scopeOf(key: Key): ResourceModule['scope'] {
  const plural = key.indexOf('/') + 1;
  const name = key.indexOf('/', plural) + 1;
  return key.includes('/', name) ? 'Namespaced' : 'Cluster';
}

/** The beginning of all stored objects. */
const anyHead = Buffer.from('{"kind":"');

function beginsWith(bytes: Uint8Array, head: Uint8Array): boolean {
  if (bytes.length < head.length) return false;
  for (let at = 0; at < head.length; at++) if (bytes[at] !== head[at]) return false;
  return true;
}

/** Returns whether an object ends as it is written: with its brace, and perhaps a newline. */
function isClosed(bytes: Uint8Array): boolean {
  const last = bytes.at(-1);
  return (last === lineEnd ? bytes.at(-2) : last) === brace;
}
const [lineEnd, brace] = [0x0a, 0x7d];

function groupAndPlural(key: Key): [group: string, plural: string] {
  const at = key.indexOf('/');
  return [key.slice(0, at), key.slice(at + 1, key.indexOf('/', at + 1))];
}

/** Returns the modules with versions that may be converted to read selectable fields. */
function convertedForFields(modules: readonly ResourceModule[]): readonly ResourceModule[] {
  const families = new Map<string, ResourceModule[]>();
  for (const module of modules) {
    const name = storedResourceOf(module);
    families.set(name, [...(families.get(name) ?? []), module]);
  }
  return [...families.values()]
    .filter((family) => family.length > 1 && family.some(({ selectableFields }) => selectableFields.length > 0))
    .flat();
}

const none: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Returns the labels of an object from its compact JSON, as this program writes it. The key cannot be in a string,
 * because its quotes would be escaped there. It cannot be deeper in the metadata either, because no other field has
 * this key with an object.
 */
export function storedLabels(bytes: Uint8Array): Readonly<Record<string, string>> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = text.indexOf(metadataKey);
  if (start < 0) return none;
  const metadata = text.subarray(start + metadataKey.length - 1, behindValue(text, start + metadataKey.length - 1));
  const at = metadata.indexOf(labelsKey);
  if (at < 0) return none;
  const from = at + labelsKey.length - 1;
  const labels: unknown = JSON.parse(metadata.toString('utf8', from, behindValue(metadata, from)));
  return isLabels(labels) ? labels : none;
}

const metadataKey = '"metadata":{';
const labelsKey = '"labels":{';

const isLabels = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
