/** Finds the messages of a file that say the same, so that one is printed for all of them. */
import { lockedMessage, messageIn, type ProtobufLock } from '../../lock/lock.js';
import { compare } from '../../write/order.js';
import { fieldTypeName } from '../source/naming.js';
import type { PrintedMessage } from './print-proto.js';
import { pascal } from './proto-names.js';

/** Messages of which each is printed once. */
export interface Merged {
  /** In the order of the first of those that are equal. */
  readonly messages: readonly PrintedMessage[];
  /** The message that is printed in the place of another one, by the id of that. */
  readonly printedFor: ReadonlyMap<string, string>;
  /** The names of messages that stand for several, by their ids: as most fields have it. Those for the most come first. */
  readonly named: ReadonlyMap<string, string>;
}

/**
 * Merges messages of custom resources that have the same fields with the same numbers and descriptions. Messages of shared
 * types have names of their own already.
 */
export function mergeEqual(messages: readonly PrintedMessage[], lock: ProtobufLock): Merged {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const keys = new Map<string, number>();
  const numbers = new Map<string, number>();
  /** Messages whose fields are being read: one that leads back to itself is equal to no other. */
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

/** The steps to the field that has a message, the kind first. */
const stepsTo = (id: string): readonly string[] =>
  id
    .slice(id.indexOf('#/') + 2)
    .replaceAll('[]', '')
    .split('.');

const isKind = (id: string): boolean => stepsTo(id).length === 1;

/** A message as it is in all of its places: what describes it is said of the fields that have it. */
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
