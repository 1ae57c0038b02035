/** Emits `proto/<group>/<version>.proto` for every version of every resource, and one file for each library it uses. */

import { lockedMessage, messageIn, type ProtobufLock } from '../lock.js';
import type { Emitter, OutputFile } from '../model.js';
import type { PlannedMessage } from '../protobuf/plan.js';
import { createPlanner, type PlannedVersion } from '../protobuf/plan-model.js';
import { nameMessages, type PrintedMessage, printProto } from '../protobuf/print-proto.js';
import { libraryOf } from '../protobuf/proto-names.js';

/** What a list of any kind needs besides its objects. */
const listMeta = 'meta/v1#/ListMeta';

/** An emitter that prints again only the files whose messages have changed. Emits nothing for a model without numbers. */
export function createProtoEmitter(): Emitter {
  const plan = createPlanner();
  let printed = new Map<string, { readonly from: readonly unknown[]; readonly file: OutputFile }>();
  return {
    name: 'proto',
    emitModel(model) {
      const lock = model.protobuf;
      if (lock === undefined) return [];
      const next: typeof printed = new Map();
      const versions = plan(model);
      const messages = allMessages(versions, lock);
      const namesIn = nameMessages(messages.keys());
      for (const [library, group] of byLibrary(messages)) {
        const listed = listedKinds(versions, library);
        const from = [...group.flatMap(({ id, planned }) => [planned, lockedMessage(lock, id)]), [...listed].join()];
        const before = printed.get(library);
        const same = before !== undefined && sameItems(before.from, from);
        const file = (): OutputFile => ({
          path: `proto/${library}.proto`,
          content: printProto({ library, messages: group, listed, lock }, namesIn),
        });
        next.set(library, same ? before : { from, file: file() });
      }
      printed = next;
      return [...next.values()].map(({ file }) => file);
    },
  };
}

/** Planned messages, and those that only the lock knows: metadata, times and the like. Sorted by id. */
function allMessages(versions: readonly PlannedVersion[], lock: ProtobufLock): ReadonlyMap<string, PrintedMessage> {
  const messages = new Map<string, PrintedMessage>();
  const addFromLock = (id: string): void => {
    if (messages.has(id)) return;
    messages.set(id, { id });
    for (const [, type] of lockedMessage(lock, id)?.fields.values() ?? []) {
      const inner = messageIn(type);
      if (inner !== undefined) addFromLock(inner);
    }
  };
  for (const { messages: planned } of versions) for (const each of planned) add(messages, each);
  for (const id of [...messages.keys(), listMeta]) {
    for (const [, type] of lockedMessage(lock, id)?.fields.values() ?? []) {
      const inner = messageIn(type);
      if (inner !== undefined) addFromLock(inner);
    }
  }
  addFromLock(listMeta);
  return new Map([...messages].sort(([left], [right]) => (left < right ? -1 : 1)));
}

function add(messages: Map<string, PrintedMessage>, planned: PlannedMessage): void {
  if (!messages.has(planned.id)) messages.set(planned.id, { id: planned.id, planned });
}

function byLibrary(messages: ReadonlyMap<string, PrintedMessage>): ReadonlyMap<string, readonly PrintedMessage[]> {
  const libraries = new Map<string, PrintedMessage[]>();
  for (const message of messages.values()) {
    const library = libraryOf(message.id);
    const group = libraries.get(library);
    if (group === undefined) libraries.set(library, [message]);
    else group.push(message);
  }
  return libraries;
}

function listedKinds(versions: readonly PlannedVersion[], library: string): ReadonlyMap<string, string> {
  const own = versions.filter((version) => version.library === library && version.resource.verbs.includes('list'));
  return new Map(own.map(({ resource: { names } }) => [`${library}#/${names.kind}`, names.listKind]));
}

function sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
