/** Writes JSON of any depth, and of 64-bit integers, several times slower than `JSON.stringify`. */
import type { JsonObject, JsonValue } from '../../contract/index.js';

/** A list or an object that is being written. */
interface Open {
  readonly value: JsonObject | readonly JsonValue[];
  readonly keys: readonly string[] | undefined;
  /** The position of the member that is next. */
  next: number;
}

/** How JSON is laid out. */
interface Layout {
  /** Indented by two spaces rather than in one line. */
  readonly pretty?: boolean;
  /** The order of the keys of each object, where it is not that of the object. */
  readonly order?: (a: string, b: string) => number;
}

/** The text of a value. */
export function writeJson(value: JsonValue, { pretty = false, order }: Layout = {}): string {
  const breakAt = (level: number): string => (pretty ? `\n${'  '.repeat(level)}` : '');
  const colon = pretty ? ': ' : ':';
  const open: Open[] = [];
  let text = '';
  let now = value;
  for (;;) {
    if (typeof now === 'object' && now !== null) {
      text += Array.isArray(now) ? '[' : '{';
      open.push(opened(now, order));
    } else text += typeof now === 'bigint' ? now.toString() : JSON.stringify(now);
    for (;;) {
      const top = open.at(-1);
      if (top === undefined) return text;
      const at = top.next++;
      const member = memberAt(top, at);
      if (member !== undefined) {
        const key = top.keys?.[at];
        text += (at > 0 ? ',' : '') + breakAt(open.length) + (key === undefined ? '' : JSON.stringify(key) + colon);
        now = member;
        break;
      }
      open.pop();
      text += (at > 0 ? breakAt(open.length) : '') + (top.keys ? '}' : ']');
    }
  }
}

function opened(value: JsonObject | readonly JsonValue[], order: Layout['order']): Open {
  if (isList(value)) return { value, keys: undefined, next: 0 };
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return { value, keys: order ? keys.sort(order) : keys, next: 0 };
}

function memberAt({ value, keys }: Open, at: number): JsonValue | undefined {
  if (isList(value)) return at < value.length ? (value[at] ?? null) : undefined;
  const key = keys?.[at];
  return key === undefined ? undefined : value[key];
}

const isList = (value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] => Array.isArray(value);
