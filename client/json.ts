/** Reads and writes JSON without losing integers: those past ±(2^53 − 1) are a `bigint`. */

/** A number of sixteen digits or more, which may be past the safe integers. Strings seldom look like one. */
const wideNumber = /(?:^|[:,[\s-])\d{16}/;

/**
 * A string, a bracket, or another value. Valid text has nothing else that matters. The quote at the end is optional, so
 * that a text without one is not searched again from each quote.
 */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{}]|[^\s,:[\]{}"]+/g;

/**
 * Reads JSON as `JSON.parse` does, except integers past ±(2^53 − 1), which become a `bigint`. Costs an extra scan of
 * the text, and several times as much if the text has such numbers. The caller gives the type. Throws a SyntaxError.
 */
export function parseJson<T>(text: string): T {
  const value: T = JSON.parse(text);
  if (!wideNumber.test(text)) return value;
  const rest = text.matchAll(tokens);
  return readValue(nextToken(rest), rest) as T;
}

type Tokens = Iterator<RegExpExecArray>;

function nextToken(rest: Tokens): string {
  const { value, done } = rest.next();
  if (done) throw new SyntaxError('unexpected end of JSON');
  return value[0];
}

/** A list or an object that the reader is in, and the next key of an object. */
interface Reading {
  readonly list: unknown[] | undefined;
  readonly entries: [string, unknown][];
  key: string;
}

/** Reads a value at any depth. Of repeated keys, uses the last. Treats `__proto__` as any other key. */
function readValue(token: string, rest: Tokens): unknown {
  const open: Reading[] = [];
  for (let next = token; ; next = nextToken(rest)) {
    const top = open.at(-1);
    if (top !== undefined && top.list === undefined && next !== '}') {
      top.key = String(JSON.parse(next));
      next = nextToken(rest);
    }
    if (next === '[' || next === '{') {
      open.push({ list: next === '[' ? [] : undefined, entries: [], key: '' });
      continue;
    }
    const ends = next === ']' || next === '}';
    if (ends) open.pop();
    const value = ends && top ? (top.list ?? Object.fromEntries(top.entries)) : readScalar(next);
    const within = open.at(-1);
    if (within === undefined) return value;
    if (within.list) within.list.push(value);
    else within.entries.push([within.key, value]);
  }
}

function readScalar(token: string): unknown {
  const value: unknown = JSON.parse(token);
  return typeof value === 'number' && /^-?\d+$/.test(token) && !Number.isSafeInteger(value) ? BigInt(token) : value;
}

/**
 * Writes JSON as `JSON.stringify` does, and every `bigint` as an integer. Writes values that JSON does not have, such
 * as functions, as `null`. Throws a TypeError if an object contains itself.
 */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    // The value holds a bigint, is deeper than a few thousand levels, or contains itself.
    return writeValue(value);
  }
}

/** A list or an object that the writer is in: its members, and how many of them it has written. */
interface Writing {
  readonly holder: object;
  readonly members: readonly (readonly [key: string | undefined, value: unknown])[];
  written: number;
}

function writeValue(value: unknown): string {
  const open: Writing[] = [];
  const holders = new Set<object>();
  let text = '';
  for (let next = plain(value, ''); ; ) {
    if (typeof next === 'object' && next !== null) {
      if (holders.has(next)) throw new TypeError('an object that contains itself cannot be written as JSON');
      holders.add(next);
      open.push({ holder: next, members: membersOf(next), written: 0 });
      text += Array.isArray(next) ? '[' : '{';
    } else text += typeof next === 'bigint' ? String(next) : (JSON.stringify(next) ?? 'null');
    let top = open.at(-1);
    for (; top !== undefined && top.written === top.members.length; top = open.at(-1)) {
      text += Array.isArray(top.holder) ? ']' : '}';
      holders.delete(top.holder);
      open.pop();
    }
    const member = top?.members[top.written++];
    if (top === undefined || member === undefined) return text;
    const [key, inner] = member;
    text += (top.written > 1 ? ',' : '') + (key === undefined ? '' : `${JSON.stringify(key)}:`);
    next = inner;
  }
}

function membersOf(holder: object): Writing['members'] {
  if (Array.isArray(holder)) return holder.map((item: unknown, at) => [undefined, plain(item, String(at))] as const);
  const members = Object.entries(holder).map(([key, member]) => [key, plain(member, key)] as const);
  return members.filter(
    ([, member]) => member !== undefined && typeof member !== 'function' && typeof member !== 'symbol',
  );
}

/** Returns the value that `toJSON` gives, or the value itself. */
function plain(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value;
  return typeof value.toJSON === 'function' ? value.toJSON(key) : value;
}
