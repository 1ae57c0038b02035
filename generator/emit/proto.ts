/** Emits `.proto` files for the versions that clients or handlers get, and one for each library that they use. */
import { memoizeByObject } from '../../runtime/objects/memoize.js';
import { lockedMessage, messageIn, type ProtobufLock } from '../lock/lock.js';
import type { PlannedMessage } from '../lock/plan.js';
import { type PlannedVersion, planModel } from '../lock/plan-model.js';
import type { ResourceModel } from '../model/model.js';
import { compare } from '../write/order.js';
import { lazyFile } from '../write/output-file.js';
import { type Emitter, fingerprintOf, keyOf } from './emitter.js';
import { hasTypes, libraryPath } from './layout.js';
import { type PrintedMessage, printProto } from './print-proto.js';
import { libraryOf, messageNames, pascal } from './proto-names.js';
import { fieldTypeName } from './source/naming.js';

/** Messages, with equal ones merged. */
interface Merged {
  /** The messages to print; a merged message is at the place of its first. */
  readonly messages: readonly PrintedMessage[];
  /** The printed message for each merged one, by its id. */
  readonly printedFor: ReadonlyMap<string, string>;
  /**
   * The printed names of merged messages, by id: the name that most of their fields have. Messages with the most fields
   * choose first.
   */
  readonly named: ReadonlyMap<string, string>;
}

/** The metadata of every list. */
const listMeta = 'meta/v1#/ListMeta';

/** The input of one file. */
interface Library {
  readonly versions: PlannedVersion[];
  /** Everything that has messages. */
  readonly resources: Set<ResourceModel>;
  /** Messages of the versions, and shared types that are in the same library. */
  readonly parts: Part[];
  /**
   * The messages that other messages refer to. Messages outside of versions, such as metadata and times, are in the
   * lock.
   */
  readonly locked: Set<string>;
}

/** The messages of one version that are in one library. */
interface Part {
  readonly library: string;
  readonly messages: readonly PlannedMessage[];
}

/** Emits the files; none for a model without numbers. */
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

/**
 * Merges messages of custom resources that have the same fields with the same numbers and descriptions. Messages of
 * shared types already have names of their own.
 */
function mergeEqual(messages: readonly PrintedMessage[], lock: ProtobufLock): Merged {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const keys = new Map<string, number>();
  const numbers = new Map<string, number>();
  /** Messages that are being read. A message that leads back to itself is not equal to any other. */
  const open = new Set<string>();

  const typeKey = (type: string): string => {
    const message = messageIn(type);
    return message === undefined || !byId.has(message) || open.has(message)
      ? type
      : type.replace(message, `#${numberOf(message)}`);
  };
  const keyOf = ({ id, planned }: PrintedMessage): string => {
    if (planned?.structural !== true || isKind(id)) return id;
    const { fields, reserved } = lockedMessage(lock, id) ?? { fields: new Map(), reserved: [] };
    const described = planned.fields.map(({ name, description }) => [name, description]);
    return JSON.stringify([
      [...fields].map(([name, [number, type]]) => [name, number, typeKey(type)]),
      described,
      reserved,
    ]);
  };
  const numberOf = (id: string): number => {
    const known = numbers.get(id);
    if (known !== undefined) return known;
    const message = byId.get(id);
    open.add(id);
    const key = message === undefined ? id : keyOf(message);
    open.delete(id);
    const number = keys.get(key) ?? keys.size;
    keys.set(key, number);
    numbers.set(id, number);
    return number;
  };

  const equal = new Map<number, PrintedMessage[]>();
  for (const message of messages) {
    const number = numberOf(message.id);
    const known = equal.get(number);
    if (known === undefined) equal.set(number, [message]);
    else known.push(message);
  }
  const groups = [...equal.values()];
  return {
    messages: groups.flatMap((group) =>
      group.slice(0, 1).map((first) => (group.length > 1 ? withoutPlace(first) : first)),
    ),
    printedFor: new Map(groups.flatMap((group) => group.map(({ id }) => [id, group[0]?.id ?? id] as const))),
    named: new Map(
      [...groups]
        .filter(({ length }) => length > 1)
        .sort((a, b) => b.length - a.length)
        .map(
          (group) =>
            [group[0]?.id ?? '', mostFrequent(group.map(({ id }) => fieldTypeName(stepsTo(id).map(pascal))))] as const,
        ),
    ),
  };
}

/** Returns the steps to the field that has a message, the kind first. */
const stepsTo = (id: string): readonly string[] =>
  id
    .slice(id.indexOf('#/') + 2)
    .replaceAll('[]', '')
    .split('.');

const isKind = (id: string): boolean => stepsTo(id).length === 1;

/** Returns a message as it is in all of its places. The fields that have it print its description. */
function withoutPlace({ id, planned }: PrintedMessage): PrintedMessage {
  if (planned === undefined) return { id };
  const { description: _, ...rest } = planned;
  return { id, planned: rest };
}

function mostFrequent(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [first] = [...counts].sort(([a, left], [b, right]) => right - left || compare(a, b));
  return first?.[0] ?? '';
}

/**
 * Returns the inputs of a file: resources, the numbers of its messages, and the names of messages of other libraries.
 */
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

/** Finds the names of the messages of each library, once per library. */
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

/** Collects the input of each library. */
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

/** Returns messages that are one field in JSON; only the lock knows them. */
function inlinedIn(id: string, lock: ProtobufLock): readonly string[] {
  const types = [...(lockedMessage(lock, id)?.fields.values() ?? [])].map(([, type]) => type);
  return types.filter((type) => type.startsWith('inline ')).flatMap((type) => messageIn(type) ?? []);
}

function emptyLibrary(): Library {
  return { versions: [], resources: new Set(), parts: [], locked: new Set() };
}

/** Returns the messages of a library, each once, even if several versions have them. */
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
  /** Messages that the version refers to, but does not plan itself. */
  readonly references: readonly string[];
}

const knownContents = new WeakMap<PlannedVersion, Contents>();

/** Returns the input of a version: the same objects on each call. */
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
