/** Reads and writes JSON without losing integers: those past ±(2^53 − 1) are a `bigint`. */

/** A number of sixteen digits or more, which may be past the safe integers; strings seldom look like one. */
const wideNumber = /(?:^|[:,[\s-])\d{16}/;

/** A string, a bracket, or what stands by itself. What is between them needs no look in text that is known to be valid. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|[^\s,:[\]{}"]+/g;

/**
 * Reads JSON as `JSON.parse` does, but for integers past ±(2^53 − 1). Costs a scan of the text more, and several times as
 * much where the text has such numbers. The type is what the caller knows the text to be. Throws a SyntaxError.
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
  if (done) throw new SyntaxError('JSON that has been read before ends');
  return value[0];
}

function readValue(token: string, rest: Tokens): unknown {
  if (token === '[') return readArray(rest);
  if (token === '{') return readObject(rest);
  const value: unknown = JSON.parse(token);
  return typeof value === 'number' && /^-?\d+$/.test(token) && !Number.isSafeInteger(value) ? BigInt(token) : value;
}

function readArray(rest: Tokens): unknown[] {
  const items: unknown[] = [];
  for (let token = nextToken(rest); token !== ']'; token = nextToken(rest)) items.push(readValue(token, rest));
  return items;
}

/** Of keys that come twice the last counts, and `__proto__` is a key like all others. */
function readObject(rest: Tokens): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (let token = nextToken(rest); token !== '}'; token = nextToken(rest)) {
    entries.push([String(JSON.parse(token)), readValue(nextToken(rest), rest)]);
  }
  return Object.fromEntries(entries);
}

/**
 * Writes JSON as `JSON.stringify` does, and every `bigint` as the integer that it is. What has no JSON, such as a function
 * by itself, is `null`. Throws a TypeError where an object holds itself.
 */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    // A text that fails again without them is wrong for another reason.
    JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? 0 : part));
    return writeValue(value, '') ?? 'null';
  }
}

function writeValue(value: unknown, key: string): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return writeValue(value.toJSON(key), key);
  if (Array.isArray(value)) {
    return `[${value.map((item: unknown, index) => writeValue(item, String(index)) ?? 'null').join(',')}]`;
  }
  const members = Object.entries(value).flatMap(([name, member]) => {
    const written = writeValue(member, name);
    return written === undefined ? [] : [`${JSON.stringify(name)}:${written}`];
  });
  return `{${members.join(',')}}`;
}
