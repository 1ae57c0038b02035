/** Texts by which equal values are found among many in linear time. */
import { entryOf } from './map-key.js';
import { compareText } from './text.js';
import {
  CelMap,
  type CelValue,
  Double,
  Duration,
  isInt,
  isList,
  itemsOf,
  KeyedList,
  Opaque,
  Optional,
  StructValue,
  Timestamp,
  TypeValue,
  Uint,
} from './value.js';

/** A part of a value that is still to be written: a text as it is, or a value. */
type Part = { readonly text: string } | { readonly value: CelValue };

/**
 * Values that are equal have the same text. A few that are not equal share one, such as large numbers that round to the
 * same double, and all values of one opaque type: whoever finds a text asks `equal` as well.
 */
export function signatureOf(value: CelValue): string {
  let text = '';
  // Values may nest deeper than the stack allows.
  const waiting: Part[] = [{ value }];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if ('text' in part) text += part.text;
    else {
      const written = scalarText(part.value);
      if (written !== undefined) text += written;
      else for (const each of partsOf(part.value).reverse()) waiting.push(each);
    }
  }
  return text;
}

/** Numbers of all types are one where they are the same double, as they are to `equal`. */
function scalarText(value: CelValue): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (isInt(value)) return numberText(value);
  if (value instanceof Double || value instanceof Uint) return numberText(value.value);
  if (value instanceof Timestamp) return `t${value.nanos}`;
  if (value instanceof Duration) return `d${value.nanos}`;
  if (value instanceof Uint8Array) return `b(${value.join()})`;
  if (value instanceof TypeValue) return `type ${value.name}`;
  return value instanceof Opaque ? value.typeName : undefined;
}

/** Both zeros are the same. */
const numberText = (value: number | bigint): string => String(Number(value) + 0);

function partsOf(value: CelValue): Part[] {
  if (value instanceof KeyedList) return sorted(value.items);
  if (isList(value))
    return between(
      '[',
      itemsOf(value).map((item): Part[] => [{ value: item }]),
      ']',
    );
  if (value instanceof CelMap) return between('{', mapParts(value), '}');
  if (value instanceof StructValue) return between('s{', memberParts(value.members()), '}');
  const inner = value instanceof Optional ? value.value : undefined;
  return inner === undefined ? [{ text: 'none' }] : [{ text: 'of ' }, { value: inner }];
}

/** Items of a list in which order does not count. Lists of this kind nest no deeper than schemas do. */
const sorted = (items: readonly CelValue[]): Part[] => [
  { text: `[${items.map(signatureOf).sort(compareText).join()}]` },
];

function mapParts(map: CelMap): Part[][] {
  const entries = map.keys().map((key) => [key, scalarText(key) ?? ''] as const);
  entries.sort(([, a], [, b]) => compareText(a, b));
  return entries.map(([key, text]): Part[] => [{ text: `${text}:` }, { value: entryOf(map, key) ?? null }]);
}

function memberParts(members: Iterable<readonly [string, CelValue]>): Part[][] {
  return [...members]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, value]): Part[] => [{ text: `${JSON.stringify(name)}:` }, { value }]);
}

const between = (open: string, members: readonly Part[][], close: string): Part[] => [
  { text: open },
  ...members.flatMap((parts, i) => (i === 0 ? parts : [{ text: ',' }, ...parts])),
  { text: close },
];
