/** The values of YAML scalars, by the YAML 1.1 rules of API servers. */

import { type DocumentDirective, EVENT_ID, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import type { JsonValue } from '../../contract/index.js';
import { isInteger } from '../../objects/guards.js';
import { badEscape, badName, describeCharacters } from './errors.js';
import type { YamlEvents } from './events.js';

const words: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
]);

const floatExpression = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
/** Dates and times, which stay texts. */
const timestampExpression = /^\d{4}-\d\d?-\d\d?([Tt ].*)?$/;

/** Resolves a plain scalar without a tag. */
export function resolvePlain(text: string): JsonValue {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.0-9]/.test(text) || timestampExpression.test(text)) return text;
  return resolveNumber(text.replaceAll('_', '')) ?? text;
}

function resolveNumber(text: string): JsonValue | undefined {
  const integer = resolveInteger(text);
  if (integer !== undefined) return integer;
  if (!floatExpression.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Reads decimal, `0x`, `0o`, `0b` and, with a leading zero, octal integers of at most 64 bits. */
function resolveInteger(text: string): number | bigint | undefined {
  const match =
    /^([-+]?)(?:0[xX]([0-9a-fA-F]{1,20})|0[oO]([0-7]{1,24})|0[bB]([01]{1,65})|0([0-7]{1,24})|(0|[1-9][0-9]{0,19}))$/.exec(
      text,
    );
  if (match === null) return undefined;
  const [, sign, hex, octal, binary, oldOctal, decimal] = match;
  const prefixed = hex
    ? `0x${hex}`
    : octal
      ? `0o${octal}`
      : binary
        ? `0b${binary}`
        : oldOctal
          ? `0o${oldOctal}`
          : decimal;
  const magnitude = BigInt(prefixed ?? 0);
  const value = sign === '-' ? -magnitude : magnitude;
  const fits = BigInt.asIntN(64, value) === value || (sign === '' && BigInt.asUintN(64, value) === value);
  if (!fits) return undefined;
  if (value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  // As in JSON, an integer beyond int64 becomes a float.
  return BigInt.asIntN(64, value) === value ? value : Number(value);
}

/** Returns the key for a float without quotes or tag, or `undefined` for other scalars. */
export function floatKey(event: ScalarEvent, text: string): string | undefined {
  if (event.tagStart >= 0 || event.style !== SCALAR_STYLE.PLAIN) return undefined;
  const value = resolvePlain(text);
  if (typeof value !== 'number' || /^[-+]?0[xXoObB]|^[-+]?[0-9_]+$/.test(text)) return undefined;
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return shortFloat(value);
}

/**
 * Returns the shortest text from which the same 32-bit float can be read. It has an exponent for 1e+06 and more, and
 * for less than 1e-04.
 */
function shortFloat(value: number): string {
  const float = Math.fround(value);
  if (float === 0) return Object.is(float, -0) ? '-0' : '0';
  if (!Number.isFinite(float)) return float > 0 ? '.inf' : '-.inf';
  let digits = 1;
  while (Math.fround(Number(float.toPrecision(digits))) !== float) digits++;
  const [mantissa = '', exponent = '0'] = float.toExponential(digits - 1).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(`${mantissa}e${power}`));
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** The value of a scalar, or its problem. */
export type ResolvedScalar =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: string };

/** Resolves a scalar with a tag. If YAML does not define the tag, the scalar stays a text. */
export function resolveTagged(tag: string, text: string): ResolvedScalar {
  if (!tag.startsWith(coreTag)) return { ok: true, value: text };
  const name = tag.slice(coreTag.length);
  if (name === 'binary') return resolveBinary(text);
  const value = resolvePlain(text);
  const matches =
    (name === 'int' && isInteger(value)) ||
    (name === 'float' && (typeof value === 'number' || typeof value === 'bigint')) ||
    (name === 'bool' && typeof value === 'boolean') ||
    (name === 'null' && value === null);
  if (matches) return { ok: true, value };
  if (!['int', 'float', 'bool', 'null'].includes(name)) return { ok: true, value: text };
  return { ok: false, problem: `cannot decode !!${typeName(value)} \`${text}\` as a !!${name}` };
}

function resolveBinary(text: string): ResolvedScalar {
  const compact = text.replace(/\s/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) {
    return { ok: false, problem: '!!binary value contains invalid base64 data' };
  }
  return { ok: true, value: Buffer.from(compact, 'base64').toString('utf8') };
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'str';
  return isInteger(value) ? 'int' : 'float';
}

/** Prefix of the tags that YAML itself defines. */
export const coreTag = 'tag:yaml.org,2002:';

/**
 * Returns a function that turns written tags (`!!int`, `!<…>`, `!own`) into their full names, by the directives of a
 * document.
 */
export function tagNames(directives: readonly DocumentDirective[]): (written: string) => string {
  const prefixes = new Map([['!!', coreTag]]);
  for (const directive of directives) {
    if (directive.kind === 'tag') prefixes.set(directive.handle, directive.prefix);
  }
  return (written) => {
    if (written.startsWith('!<')) return written.slice(2, -1);
    const handle = /^!(?:[0-9A-Za-z_-]*!)?/.exec(written)?.[0] ?? '';
    return `${prefixes.get(handle) ?? handle}${written.slice(handle.length)}`;
  };
}

/** The error for a document without a JSON value. The message has the reason. */
export class YamlProblem extends Error {}

/** Returns the index of the target node for each index of an alias: the last node with its name before it. */
export function resolveAliases({ text, events }: YamlEvents): ReadonlyMap<number, number> {
  const anchors = new Map<string, number>();
  const targets = new Map<number, number>();
  events.forEach((event, index) => {
    if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP || event.anchorStart < 0) return;
    const name = text.slice(event.anchorStart, event.anchorEnd);
    if (!/^[\w-]+$/.test(name)) throw new YamlProblem(describeCharacters(badName, text, event.anchorStart));
    if (event.type !== EVENT_ID.ALIAS) anchors.set(name, index);
    else {
      const target = anchors.get(name);
      if (target === undefined) throw new YamlProblem(`unknown anchor '${name}' referenced`);
      targets.set(index, target);
    }
  });
  return targets;
}

/** A backslash and the character that it escapes; `u` and `U` with the number of a character. */
const escapes = /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^uU]))/g;

/** Throws if a text in double quotes has an escaped slash, as JSON allows, or half of a surrogate pair. */
export function checkEscapes(text: string, start: number, end: number): void {
  for (const { 1: short, 2: long, 3: char, index } of text.slice(start, end).matchAll(escapes)) {
    const code = Number.parseInt(short ?? long ?? '0', 16);
    const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    if (isCharacter && char !== '/') continue;
    const words = char === '/' ? badEscape : 'found invalid Unicode character escape code';
    throw new YamlProblem(describeCharacters(words, text, start + index));
  }
}
