/** Emits `proto/<group>/<version>.proto` for the versions that clients or handlers get, and one file for each library these use. */

import { memoizeByObject } from '../../../runtime/objects/memoize.js';
import { lockedMessage, messageIn, type ProtobufLock } from '../../lock/lock.js';
import type { PlannedMessage } from '../../lock/plan.js';
import { type PlannedVersion, planModel } from '../../lock/plan-model.js';
import type { ResourceModel } from '../../model/model.js';
import { lazyFile } from '../../write/output-file.js';
import type { Emitter } from '../emitter.js';
import { fingerprintOf, keyOf } from '../fingerprint.js';
import { hasTypes, libraryPath } from '../layout.js';
import { type Merged, mergeEqual } from './merge-equal.js';
import { type PrintedMessage, printProto } from './print-proto.js';
import { libraryOf, messageNames } from './proto-names.js';

/** The metadata that every list has besides its objects. */
const listMeta = 'meta/v1#/ListMeta';

/** The input of one file. */
interface Library {
  readonly versions: PlannedVersion[];
  /** All that bring messages. */
  readonly resources: Set<ResourceModel>;
  /** Messages of the versions, and shared types that are in the same library. */
  readonly parts: Part[];
  /** Messages that are referred to; those that no version brings are in the lock: metadata, times … */
  readonly locked: Set<string>;
}

/** The messages of one version that are in one library. */
interface Part {
  readonly library: string;
  readonly messages: readonly PlannedMessage[];
}

/** The emitter of the files. Emits nothing for a model without numbers. */
export const protoEmitter: Emitter = {
  name: 'proto',
  emitModel(model) {
    const lock = model.protobuf;
    if (lock === undefined) return [];
    const libraries = collect(planModel(model).filter(hasTypes), lock);
    const mergedIn = memoizeByObject((from: Library) => mergeEqual(messagesOf(from), lock));
    const namesIn = createNames(libraries, mergedIn);
    return [...libraries].map(([library, from]) =>
      lazyFile(`proto/${libraryPath(library)}.proto`, keyOf(keyParts(library, from, lock, namesIn)), () => {
        const { messages } = mergedIn(from);
        return printProto({ library, messages, listed: listedKinds(from.versions), lock }, namesIn);
      }),
    );
  },
};

/** The inputs of a file: resources, the numbers of its messages, and the names of messages of other libraries. */
function keyParts(
  library: string,
  from: Library,
  lock: ProtobufLock,
  namesIn: (library: string) => ReadonlyMap<string, string>,
): readonly unknown[] {
  const ids = [...new Set([...from.parts.flatMap(({ messages }) => messages.map(({ id }) => id)), ...from.locked])];
  const numbers = ids.map((id) => lockedMessage(lock, id)).map((each) => each && [...each.fields, each.reserved]);
  const types = ids.flatMap((id) => [...(lockedMessage(lock, id)?.fields.values() ?? [])].map(([, type]) => type));
  const others = new Set(types.flatMap((type) => messageIn(type) ?? []).filter((id) => libraryOf(id) !== library));
  const names = [...others].map((id) => [id, namesIn(libraryOf(id)).get(id)]);
  return [
    [...from.resources].map(fingerprintOf),
    from.versions.map(({ version }) => version.name),
    ids,
    numbers,
    names,
  ];
}

/** The names that messages have in each library, found once a library when they are first asked for. */
function createNames(
  libraries: ReadonlyMap<string, Library>,
  mergedIn: (from: Library) => Merged,
): (library: string) => ReadonlyMap<string, string> {
  const names = new Map<string, ReadonlyMap<string, string>>();
  return (library) => {
    const known = names.get(library);
    if (known !== undefined) return known;
    const from = libraries.get(library) ?? emptyLibrary();
    const { messages, printedFor, named } = mergedIn(from);
    const ids = messages.map(({ id }) => id);
    const printed = messageNames(ids, listedKinds(from.versions).values(), named);
    const made = new Map([...printedFor].map(([id, other]) => [id, printed.get(other) ?? '']));
    names.set(library, made);
    return made;
  };
}

/** The input of each library. */
function collect(versions: readonly PlannedVersion[], lock: ProtobufLock): ReadonlyMap<string, Library> {
  const libraries = new Map<string, Library>();
  const libraryAt = (name: string): Library => {
    const library = libraries.get(name) ?? emptyLibrary();
    libraries.set(name, library);
    return library;
  };
  for (const version of versions) {
    libraryAt(version.library).versions.push(version);
    for (const part of contentsOf(version).parts) {
      libraryAt(part.library).parts.push(part);
      libraryAt(part.library).resources.add(version.resource);
    }
  }
  const addLocked = (id: string): void => {
    const { locked } = libraryAt(libraryOf(id));
    if (locked.has(id)) return;
    locked.add(id);
    for (const [, type] of lockedMessage(lock, id)?.fields.values() ?? []) addLocked(messageIn(type) ?? listMeta);
  };
  const inlined = versions.flatMap(({ messages }) => messages.flatMap(({ id }) => inlinedIn(id, lock)));
  const references = versions.flatMap((version) => contentsOf(version).references);
  for (const id of new Set([listMeta, ...references, ...inlined])) addLocked(id);
  return libraries;
}

/** Messages whose fields are the message's own in JSON; only the lock knows of them. */
function inlinedIn(id: string, lock: ProtobufLock): readonly string[] {
  const types = [...(lockedMessage(lock, id)?.fields.values() ?? [])].map(([, type]) => type);
  return types.filter((type) => type.startsWith('inline ')).flatMap((type) => messageIn(type) ?? []);
}

function emptyLibrary(): Library {
  return { versions: [], resources: new Set(), parts: [], locked: new Set() };
}

/** The messages of a library, each once: versions that share a type all bring it. */
function messagesOf({ parts, locked }: Library): PrintedMessage[] {
  const messages = new Map<string, PrintedMessage>();
  for (const planned of parts.flatMap((part) => part.messages)) {
    if (!messages.has(planned.id)) messages.set(planned.id, { id: planned.id, planned });
  }
  for (const id of locked) if (!messages.has(id)) messages.set(id, { id });
  return [...messages.values()];
}

interface Contents {
  readonly parts: readonly Part[];
  /** Messages that the version refers to and does not plan itself. */
  readonly references: readonly string[];
}

const knownContents = new WeakMap<PlannedVersion, Contents>();

/** The input that a version brings: the same objects on each call. */
function contentsOf(version: PlannedVersion): Contents {
  const known = knownContents.get(version);
  if (known !== undefined) return known;
  const byLibrary = new Map<string, PlannedMessage[]>();
  for (const message of version.messages) {
    const library = libraryOf(message.id);
    const messages = byLibrary.get(library);
    if (messages === undefined) byLibrary.set(library, [message]);
    else messages.push(message);
  }
  const parts = [...byLibrary].map(([library, messages]) => ({ library, messages }));
  const planned = new Set(version.messages.map(({ id }) => id));
  const types = version.messages.flatMap(({ fields }) => fields.map(({ type }) => messageIn(type)));
  const references = [...new Set(types)].filter((id) => id !== undefined).filter((id) => !planned.has(id));
  const contents = { parts, references };
  knownContents.set(version, contents);
  return contents;
}

function listedKinds(versions: readonly PlannedVersion[]): ReadonlyMap<string, string> {
  const listed = versions.filter(({ resource }) => resource.verbs.includes('list'));
  return new Map(listed.map(({ library, resource: { names } }) => [`${library}#/${names.kind}`, names.listKind]));
}
