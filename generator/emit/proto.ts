/** Emits `proto/<group>/<version>.proto` for every version of every resource, and one file for each library it uses. */

import { lockedMessage, messageIn, type ProtobufLock } from '../lock.js';
import type { Emitter, OutputFile } from '../model.js';
import type { PlannedMessage } from '../protobuf/plan.js';
import { type PlannedVersion, planModel } from '../protobuf/plan-model.js';
import { type PrintedMessage, printProto } from '../protobuf/print-proto.js';
import { libraryOf, messageNames } from '../protobuf/proto-names.js';

/** What a list of any kind needs besides its objects. */
const listMeta = 'meta/v1#/ListMeta';

/** What one file is printed from. */
interface Library {
  readonly versions: PlannedVersion[];
  /** Messages of the versions, and shared types that are in the same library. */
  readonly messages: Map<string, PrintedMessage>;
}

interface Printed {
  /** Messages as planned and as locked, compared by identity. */
  readonly from: readonly unknown[];
  readonly file: OutputFile;
}

/** An emitter that prints again only the files whose messages have changed. Emits nothing for a model without numbers. */
export function createProtoEmitter(): Emitter {
  let printed = new Map<string, Printed>();
  return {
    name: 'proto',
    emitModel(model) {
      const lock = model.protobuf;
      if (lock === undefined) return [];
      const libraries = collect(planModel(model), lock);
      const names = new Map<string, ReadonlyMap<string, string>>();
      const namesIn = (library: string): ReadonlyMap<string, string> => {
        const { versions, messages } = libraries.get(library) ?? { versions: [], messages: new Map() };
        const made = names.get(library) ?? messageNames([...messages.keys()], listedKinds(versions).values());
        names.set(library, made);
        return made;
      };
      const next = new Map<string, Printed>();
      for (const [library, { versions, messages }] of libraries) {
        const from = [...versions, ...[...messages.values()].flatMap(({ id, planned }) => [planned, lock.get(id)])];
        const before = printed.get(library);
        const same = before !== undefined && sameItems(before.from, from);
        const print = (): OutputFile => ({
          path: `proto/${library}.proto`,
          content: printProto(
            { library, messages: [...messages.values()], listed: listedKinds(versions), lock },
            namesIn,
          ),
        });
        next.set(library, same ? before : { from, file: print() });
      }
      printed = next;
      return [...next.values()].map(({ file }) => file);
    },
  };
}

/** All messages by library: those that are planned, and those that only the lock knows (metadata, times …). */
function collect(versions: readonly PlannedVersion[], lock: ProtobufLock): ReadonlyMap<string, Library> {
  const libraries = new Map<string, Library>();
  const libraryAt = (name: string): Library => {
    const library = libraries.get(name) ?? { versions: [], messages: new Map() };
    libraries.set(name, library);
    return library;
  };
  const addLocked = (id: string): void => {
    const { messages } = libraryAt(libraryOf(id));
    if (messages.has(id)) return;
    messages.set(id, { id });
    for (const [, type] of lockedMessage(lock, id)?.fields.values() ?? []) addLocked(messageIn(type) ?? listMeta);
  };
  for (const version of versions) {
    libraryAt(version.library).versions.push(version);
    for (const planned of version.messages) add(libraryAt(libraryOf(planned.id)).messages, planned);
  }
  for (const id of [listMeta, ...versions.flatMap(referencesOf)]) addLocked(id);
  return libraries;
}

function add(messages: Map<string, PrintedMessage>, planned: PlannedMessage): void {
  if (!messages.has(planned.id)) messages.set(planned.id, { id: planned.id, planned });
}

const knownReferences = new WeakMap<PlannedVersion, readonly string[]>();

/** Messages that a version refers to and does not plan itself. */
function referencesOf(version: PlannedVersion): readonly string[] {
  const known = knownReferences.get(version);
  if (known !== undefined) return known;
  const planned = new Set(version.messages.map(({ id }) => id));
  const types = version.messages.flatMap(({ fields }) => fields.map(({ type }) => messageIn(type)));
  const references = [...new Set(types)].filter((id) => id !== undefined).filter((id) => !planned.has(id));
  knownReferences.set(version, references);
  return references;
}

function listedKinds(versions: readonly PlannedVersion[]): ReadonlyMap<string, string> {
  const listed = versions.filter(({ resource }) => resource.verbs.includes('list'));
  return new Map(listed.map(({ library, resource: { names } }) => [`${library}#/${names.kind}`, names.listKind]));
}

function sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
