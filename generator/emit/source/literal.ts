/** Prints values as TypeScript literals: single quotes, two spaces, on one line where it fits. */
import { isIdentifier } from './naming.js';

/** Columns that a line may take. */
export const LINE_WIDTH = 120;

/** Code that stands in a literal as it is, such as the name of a constant. */
export interface Code {
  readonly code: string;
}

/** Options of a literal besides its members. */
interface LiteralOptions {
  /** Name of the type that it is told to have where TypeScript would not find it out. */
  readonly satisfies?: string;
}

/** An array literal. */
export interface Items extends LiteralOptions {
  readonly items: readonly Literal[];
}

/** An object literal. */
export interface Entries extends LiteralOptions {
  /** Name of another object, all of which is taken over first. */
  readonly spread?: string;
  readonly entries: readonly (readonly [key: string, value: Literal])[];
}

/** A printable value. It has entries instead of objects, so that order and every key survive. */
export type Literal = null | boolean | number | bigint | string | Code | Items | Entries;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not stand in a source file
  /[\u0000-\u001f\u007f\u2028\u2029\ufeff\\']|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * A string in single quotes, or in double quotes where that saves escapes; control characters, line separators and
 * lone surrogates are escaped.
 */
export const quote = (text: string): string => {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escapeChar = (char: string): string => {
    if (char === "'" && mark === '"') return char;
    return ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  };
  return mark + text.replace(UNPRINTABLE, escapeChar) + mark;
};

/** A key of an object literal. `__proto__` is computed, for otherwise it would set the prototype. */
export const printKey = (key: string): string => {
  if (key === '__proto__') return "['__proto__']";
  return isIdentifier(key) ? key : quote(key);
};

/** Any JSON value (bigints too) as a literal. `undefined` members are left out. */
export const toLiteral = (value: unknown): Literal => {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'bigint' || typeof value === 'string') return value;
  if (Array.isArray(value)) return { items: value.map(toLiteral) };
  if (typeof value !== 'object') return { code: 'undefined' };
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return { entries: entries.map(([key, member]) => [key, toLiteral(member)] as const) };
};

/** An object literal of the members that are there. */
export const record = (members: Readonly<Record<string, Literal | undefined>>): Literal => ({
  entries: Object.entries(members).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
});

const scalarText = (value: null | boolean | number | bigint | string): string => {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'bigint') return `${value}n`;
  return Object.is(value, -0) ? '-0' : String(value);
};

interface Group {
  readonly open: string;
  readonly close: string;
  /** Around the members where they share a line. */
  readonly pad: string;
  readonly lead: string | undefined;
  readonly members: readonly (readonly [string | undefined, Literal])[];
}

const closing = (bracket: string, { satisfies }: LiteralOptions): string =>
  satisfies === undefined ? bracket : `${bracket} satisfies ${satisfies}`;

const groupOf = (value: Items | Entries): Group =>
  'items' in value
    ? {
        open: '[',
        close: closing(']', value),
        pad: '',
        lead: undefined,
        members: value.items.map((item) => [undefined, item]),
      }
    : {
        open: '{',
        close: closing('}', value),
        pad: ' ',
        lead: value.spread === undefined ? undefined : `...${value.spread}`,
        members: value.entries,
      };

const labelOf = (key: string | undefined): string => (key === undefined ? '' : `${printKey(key)}: `);

const isShorthand = (key: string | undefined, value: Literal): boolean =>
  typeof value === 'object' && value !== null && 'code' in value && value.code === key;

/** The text on one line, or `undefined` as soon as it turns out to need more than `room` columns. */
const printInline = (value: Literal, room: number): string | undefined => {
  if (typeof value === 'string' && value.length > room) return undefined;
  if (value === null || typeof value !== 'object') return scalarText(value);
  if ('code' in value) return value.code;
  const { open, close, pad, lead, members } = groupOf(value);
  let text = lead ?? '';
  for (const [key, member] of members) {
    if (text.length > room) return undefined;
    const inner = printInline(member, room - text.length);
    if (inner === undefined) return undefined;
    text += `${text === '' ? '' : ', '}${isShorthand(key, member) ? '' : labelOf(key)}${inner}`;
  }
  return text === '' ? open + close : open + pad + text + pad + close;
};

const printBlock = (value: Literal, indent: string, before: number): string => {
  if (value === null || typeof value !== 'object') return scalarText(value);
  if ('code' in value) return value.code;
  const room = LINE_WIDTH - indent.length - before - 1;
  const inline = printInline(value, room);
  if (inline !== undefined && inline.length <= room) return inline;
  const { open, close, lead, members } = groupOf(value);
  const inner = `${indent}  `;
  const lines = lead === undefined ? [] : [`${inner}${lead},`];
  for (const [key, member] of members) {
    const label = isShorthand(key, member) ? '' : labelOf(key);
    lines.push(`${inner}${label}${printBlock(member, inner, label.length)},`);
  }
  return `${open}\n${lines.join('\n')}\n${indent}${close}`;
};

/**
 * A literal as it stands in a file.
 * @param before - columns of the line that are taken already, as by `export const x = `.
 */
export const printLiteral = (value: Literal, before = 0): string => printBlock(value, '', before);
