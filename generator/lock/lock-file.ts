/** Reads the file of promised field numbers with all its mistakes, and prints it with one line per message. */
import type { ProtobufField } from '../../runtime/contract/index.js';
import type { LockedMessage, ProtobufLock, ReservedField } from '../model/model.js';

/** A mistake in the file's content. */
export interface LockProblem {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export const emptyLock: ProtobufLock = new Map();

const maxNumber = 2 ** 29 - 1;
const types = /^(?:(?:repeated|map|inline) )?(?:string|bytes|bool|int32|int64|double|json|\S(?:(?!#\/)\S)*#\/\S+)$/;

/** Reads the file's text. Leaves out and reports what is wrong. */
export function readLock(text: string): { readonly lock: ProtobufLock; readonly problems: readonly LockProblem[] } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return {
      lock: emptyLock,
      problems: [{ line: 1, message: `not JSON: ${error instanceof Error ? error.message : ''}` }],
    };
  }
  const problems: LockProblem[] = [];
  const lock = new Map<string, LockedMessage>();
  for (const [id, value] of entriesOf(entriesOf(parsed).get('messages'))) {
    const report = (message: string): unknown => problems.push({ line: findLine(text, id), message });
    lock.set(id, readMessage(id, value, report));
  }
  return { lock, problems };
}

function readMessage(id: string, value: unknown, report: (message: string) => unknown): LockedMessage {
  const fields = new Map<string, ProtobufField>();
  const reserved: ReservedField[] = [];
  const taken = new Map<number, string>();
  const take = (name: string, entry: unknown): ProtobufField | undefined => {
    const field = readField(entry);
    if (field === undefined) {
      report(`${id}: field ${name} is not [number, type]`);
      return undefined;
    }
    const other = taken.get(field[0]);
    if (other !== undefined) report(`${id}: fields ${other} and ${name} have the same number ${field[0]}`);
    taken.set(field[0], name);
    return field;
  };
  const message = entriesOf(value);
  for (const [name, entry] of entriesOf(message.get('fields'))) {
    const field = take(name, entry);
    if (field !== undefined) fields.set(name, field);
  }
  const gone = message.get('reserved');
  for (const entry of Array.isArray(gone) ? gone : []) {
    const [number, type, name] = Array.isArray(entry) ? entry : [];
    const field = take(String(name), [number, type]);
    if (field !== undefined) reserved.push({ name: String(name), number: field[0], type: field[1] });
  }
  return { fields, reserved };
}

function readField(entry: unknown): ProtobufField | undefined {
  if (!Array.isArray(entry) || entry.length !== 2) return undefined;
  const [number, type]: unknown[] = entry;
  if (typeof number !== 'number' || !Number.isInteger(number) || !isFieldNumber(number)) return undefined;
  return typeof type === 'string' && types.test(type) ? [number, type] : undefined;
}

/** Numbers that protobuf allows and does not reserve. */
export function isFieldNumber(number: number): boolean {
  return number >= 1 && number <= maxNumber && !(number >= 19_000 && number <= 19_999);
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return new Map(isObject ? Object.entries(value) : []);
}

/** Returns the line, from 1, of a message in text from `printLock`; 1 if it is not in the text. */
export function findLine(text: string, id: string): number {
  const start = `${JSON.stringify(id)}:`;
  return text.split('\n').findIndex((line) => line.trimStart().startsWith(start)) + 1 || 1;
}

/**
 * Prints the lock: one line per message, sorted by id, fields sorted by number, so that the text depends on the
 * promises alone. Two branches that add fields to one message conflict in version control: both gave the same number.
 */
export function printLock(lock: ProtobufLock): string {
  const messages = [...lock]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([id, message]) => `    ${JSON.stringify(id)}: ${printMessage(message)}`);
  const about =
    'Field numbers promised to clients. Written by kindforge generate; numbers never change and are never given again.';
  return `{\n  "about": ${JSON.stringify(about)},\n  "messages": {\n${messages.join(',\n')}\n  }\n}\n`;
}

function printMessage({ fields, reserved }: LockedMessage): string {
  const numbered = [...fields]
    .sort(([, [left]], [, [right]]) => left - right)
    .map(([name, [number, type]]) => `${JSON.stringify(name)}: [${number}, ${JSON.stringify(type)}]`);
  const removed = [...reserved]
    .sort((left, right) => left.number - right.number)
    .map(({ name, number, type }) => `[${number}, ${JSON.stringify(type)}, ${JSON.stringify(name)}]`);
  const parts = [
    ...(numbered.length === 0 ? [] : [`"fields": { ${numbered.join(', ')} }`]),
    ...(removed.length === 0 ? [] : [`"reserved": [${removed.join(', ')}]`]),
  ];
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
