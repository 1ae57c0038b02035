/** Gives field numbers: old fields keep theirs, new ones get the next. Refuses changes that would break clients. */

import { metaMessages } from '../../runtime/codec/protobuf/meta-messages.js';
import type { ProtobufField, ProtobufMessage, ProtobufSchema } from '../../runtime/contract/index.js';
import type { LockedMessage, ProtobufLock } from '../model/model.js';
import { isFieldNumber } from './lock-file.js';
import type { PlannedField, PlannedMessage } from './plan.js';

export type { ProtobufLock } from '../model/model.js';
export { emptyLock, type LockProblem, printLock, readLock } from './lock-file.js';

/** The messages that every API shares. The runtime knows them, so they need not be in the lock. */
const shared: ProtobufLock = new Map(
  Object.entries(metaMessages).map(([id, fields]) => [id, { fields: new Map(Object.entries(fields)), reserved: [] }]),
);

/** Returns the promised fields of a message. */
export function lockedMessage(lock: ProtobufLock, id: string): LockedMessage | undefined {
  return lock.get(id) ?? shared.get(id);
}

/** A change that a client with the old definition could not read. */
export interface BrokenPromise {
  readonly message: string;
  readonly field: string;
  readonly number: number;
  /** Types before and after. */
  readonly was: string;
  readonly becomes: string;
}

export interface Numbered {
  /** The same object if nothing was added or removed. */
  readonly lock: ProtobufLock;
  readonly broken: readonly BrokenPromise[];
}

/**
 * Updates a lock to the messages of a model, which may come in any order. Messages that are no longer planned stay as
 * they are: their kinds may return.
 */
export function numberFields(lock: ProtobufLock, planned: Iterable<PlannedMessage>): Numbered {
  const next = new Map(lock);
  const broken: BrokenPromise[] = [];
  let changed = false;
  for (const message of planned) {
    const before = lockedMessage(next, message.id);
    const after = numberMessage(message, before, next, broken);
    if (after === before) continue;
    next.set(message.id, after);
    changed = true;
  }
  return { lock: changed ? next : lock, broken };
}

function numberMessage(
  planned: PlannedMessage,
  before: LockedMessage | undefined,
  lock: Map<string, LockedMessage>,
  broken: BrokenPromise[],
): LockedMessage {
  const old = before ?? { fields: new Map(), reserved: [] };
  const fields = new Map(old.fields);
  const reserved = [...old.reserved];
  let changed = before === undefined;
  for (const field of planned.fields) {
    if (inlined(field.name, old, lock)) continue;
    const known = fields.get(field.name);
    if (known === undefined) {
      fields.set(field.name, [takeNumber(field, fields, reserved), field.type]);
      changed = true;
    } else if (known[1] !== field.type) {
      if (mayBecome(known[1], field.type, lock)) {
        fields.set(field.name, [known[0], field.type]);
        changed = true;
      } else {
        broken.push({ message: planned.id, field: field.name, number: known[0], was: known[1], becomes: field.type });
      }
    }
  }
  const names = new Set(planned.fields.map(({ name }) => name));
  for (const [name, [number, type]] of [...fields]) {
    if (names.has(name) || type.startsWith('inline ')) continue;
    fields.delete(name);
    reserved.push({ name, number, type });
    changed = true;
  }
  return changed || before === undefined ? { fields, reserved } : before;
}

/** Returns whether a field belongs to a message that is inlined into this one. */
function inlined(name: string, message: LockedMessage, lock: ProtobufLock): boolean {
  return [...message.fields.values()].some(([, type]) => {
    const inner = type.startsWith('inline ') ? lockedMessage(lock, type.slice('inline '.length)) : undefined;
    return inner !== undefined && (inner.fields.has(name) || inlined(name, inner, lock));
  });
}

/**
 * Returns a number for a field. A field that returns unchanged gets its old number; any other new field gets a new one.
 */
function takeNumber(
  { name, type }: PlannedField,
  fields: ReadonlyMap<string, ProtobufField>,
  reserved: { readonly name: string; readonly number: number; readonly type: string }[],
): number {
  const own = reserved.findIndex((each) => each.name === name && each.type === type);
  if (own >= 0) return reserved.splice(own, 1)[0]?.number ?? 1;
  let next = 1;
  for (const [number] of fields.values()) if (number >= next) next = number + 1;
  for (const { number } of reserved) if (number >= next) next = number + 1;
  while (!isFieldNumber(next)) next++;
  return next;
}

/** Returns whether bytes of one type can be read as another: wider integers, and messages with fields that agree. */
function mayBecome(was: string, becomes: string, lock: Map<string, LockedMessage>): boolean {
  const [wasLabel, wasType] = splitType(was);
  const [label, type] = splitType(becomes);
  if (wasLabel !== label) return false;
  if (wasType === type || (wasType === 'int32' && type === 'int64')) return true;
  const old = lockedMessage(lock, wasType);
  if (old === undefined || !type.includes('#/')) return false;
  const now = lockedMessage(lock, type);
  if (now === undefined) {
    // A message that gets a name, or moves, keeps its numbers.
    lock.set(type, old);
    return true;
  }
  return agree(old, now);
}

function agree(old: LockedMessage, now: LockedMessage): boolean {
  const byNumber = new Map([...old.fields].map(([name, [number, type]]) => [number, { name, type }]));
  return [...now.fields].every(([name, [number, type]]) => {
    const before = byNumber.get(number);
    return before === undefined ? !old.fields.has(name) : before.name === name && before.type === type;
  });
}

function splitType(type: string): [label: string, type: string] {
  const space = type.indexOf(' ');
  return space < 0 ? ['', type] : [type.slice(0, space), type.slice(space + 1)];
}

/** Returns the id of the message that a type refers to. */
export function messageIn(type: string): string | undefined {
  const [, name] = splitType(type);
  return name.includes('#/') ? name : undefined;
}

/**
 * Returns the numbers of one kind for the codec: its message, and the messages below that the runtime does not know.
 */
export function protobufSchema(message: string, lock: ProtobufLock): ProtobufSchema {
  const messages: Record<string, ProtobufMessage> = {};
  const waiting = [message];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const locked = lock.get(id);
    if (locked === undefined || Object.hasOwn(messages, id)) continue;
    messages[id] = Object.fromEntries(locked.fields);
    for (const [, type] of locked.fields.values()) {
      const inner = messageIn(type);
      if (inner !== undefined) waiting.push(inner);
    }
  }
  return { message, messages };
}
