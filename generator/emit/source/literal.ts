/** Prints values as TypeScript literals: single quotes, two spaces, on one line if they fit. */
import { isIdentifier } from './naming.js';

/** Maximum columns of a line in a generated file. Only a long text may exceed it. */
export const LINE_WIDTH = 120;

/** Code to print as it is, such as the name of a constant. */
export interface Code {
  readonly code: string;
}

interface Typed {
  /** Type to print after the literal, if TypeScript would infer another. */
  readonly satisfies?: string;
}

/** An array literal. */
export interface Items extends Typed {
  readonly items: readonly Literal[];
}

/** An object literal. */
export interface Entries extends Typed {
  /** Name of an object to spread before the entries. */
  readonly spread?: string;
  readonly entries: readonly (readonly [key: string, value: Literal])[];
}

/** A printable value. It has entries instead of objects, so that it keeps the order and every key. */
export type Literal = null | boolean | number | bigint | string | Code | Items | Entries;

/**
 * Prints a literal.
 * @param before - columns of the first line that are already used, as by `export const x = `.
 */
export const printLiteral = (value: Literal, before = 0): string => printAt(value, '', before);

const printAt = (value: Literal, indent: string, before: number): string => {
  if (isScalar(value)) return scalarText(value);
  const room = LINE_WIDTH - indent.length - before - 1;
  const inline = printInline(value, room);
  if (inline !== undefined && inline.length <= room) return inline;
  const group = groupOf(value);
  return `${group.open}\n${packLines(group, `${indent}  `).join('\n')}\n${indent}${group.close}`;
};

/** Prints the lines of a group. Values and lists of values share lines as they fit; other members start a new line. */
const packLines = ({ spread, members }: Group, indent: string): string[] => {
  const lines = spread === undefined ? [] : [`${indent}...${spread},`];
  let mayJoin = lines.length > 0;
  for (const [key, member] of members) {
    const label = labelOf(key, member);
    const text = `${label}${printAt(member, indent, label.length)},`;
    const isShort = isFlat(member) && !text.includes('\n');
    const joined = `${lines.at(-1)} ${text}`;
    if (mayJoin && isShort && joined.length <= LINE_WIDTH) lines[lines.length - 1] = joined;
    else lines.push(indent + text);
    mayJoin = isShort;
  }
  return lines;
};

/** Prints a value on one line, or returns `undefined` once it needs more than `room` columns. */
const printInline = (value: Literal, room: number): string | undefined => {
  if (typeof value === 'string' && value.length > room) return undefined;
  if (isScalar(value)) return scalarText(value);
  const { open, close, pad, spread, members } = groupOf(value);
  let text = spread === undefined ? '' : `...${spread}`;
  for (const [key, member] of members) {
    if (text.length > room) return undefined;
    const inner = printInline(member, room - text.length);
    if (inner === undefined) return undefined;
    text += `${text === '' ? '' : ', '}${labelOf(key, member)}${inner}`;
  }
  return text === '' ? open + close : open + pad + text + pad + close;
};

interface Group {
  readonly open: string;
  readonly close: string;
  /** Printed around the members if they share one line. */
  readonly pad: string;
  readonly spread: string | undefined;
  readonly members: readonly (readonly [key: string | undefined, value: Literal])[];
}

const groupOf = (value: Items | Entries): Group => {
  const after = value.satisfies === undefined ? '' : ` satisfies ${value.satisfies}`;
  if ('items' in value) {
    const members = value.items.map((item) => [undefined, item] as const);
    return { open: '[', close: `]${after}`, pad: '', spread: undefined, members };
  }
  return { open: '{', close: `}${after}`, pad: ' ', spread: value.spread, members: value.entries };
};

/** Returns what is printed before a member: nothing for `{ name }`, the short form of `{ name: name }`. */
const labelOf = (key: string | undefined, value: Literal): string => {
  const isShorthand = typeof value === 'object' && value !== null && 'code' in value && value.code === key;
  return key === undefined || isShorthand ? '' : `${printKey(key)}: `;
};

type Scalar = Exclude<Literal, Items | Entries>;

const isScalar = (value: Literal): value is Scalar => value === null || typeof value !== 'object' || 'code' in value;

const isFlat = (value: Literal): boolean => isScalar(value) || ('items' in value && value.items.every(isScalar));

const scalarText = (value: Scalar): string => {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'object' && value !== null) return value.code;
  return Object.is(value, -0) ? '-0' : String(value);
};

/** Returns a JSON value, which may have bigints, as a literal. Leaves out members that are `undefined`. */
export const toLiteral = (value: unknown): Literal => {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'bigint' || typeof value === 'string') return value;
  if (Array.isArray(value)) return { items: value.map(toLiteral) };
  if (typeof value !== 'object') return { code: 'undefined' };
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return { entries: entries.map(([key, member]) => [key, toLiteral(member)] as const) };
};

/** Returns an object literal of the members that are not `undefined`. */
export const record = (members: Readonly<Record<string, Literal | undefined>>): Literal => ({
  entries: Object.entries(members).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
});

/** Prints a key of an object literal. `__proto__` is computed, since it would set the prototype otherwise. */
export const printKey = (key: string): string => {
  if (key === '__proto__') return "['__proto__']";
  return isIdentifier(key) ? key : quote(key);
};

/**
 * Prints a string in single quotes, or in double quotes if that saves escapes. Escapes control characters, line
 * separators and lone surrogates.
 */
export const quote = (text: string): string => {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escapeChar = (char: string): string => {
    if (char === "'" && mark === '"') return char;
    return ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  };
  return mark + text.replace(UNPRINTABLE, escapeChar) + mark;
};

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a source file must not contain these characters
  /[\u0000-\u001f\u007f\u2028\u2029\ufeff\\']|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
