/** Resolves unquoted YAML scalars by the core schema of YAML 1.2.2 (§10.3). */

/** A scalar without a JSON value: `.inf`, `.nan`, or a number too large for a double. */
export const NOT_JSON: unique symbol = Symbol('not JSON');

const INT = /^[-+]?[0-9]+$/;
const OCTAL = /^0o[0-7]+$/;
const HEX = /^0x[0-9a-fA-F]+$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/;
/** Digits of the largest 64-bit number. Longer numbers are doubles, as for JSON readers. */
const LONGEST_INTEGER = 20;
const MAX_UINT64 = 2n ** 64n - 1n;
const MIN_INT64 = -(2n ** 63n);

/** Words and numbers that YAML 1.1 readers, such as kubectl, read differently. */
const AMBIGUOUS =
  /^(?:[yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|[-+]?0[0-9]+|[-+]?0b[01]+|[-+]?[0-9]+_[0-9_]*)$/;

/** Returns whether readers of YAML 1.1 and 1.2 disagree about an unquoted scalar. */
export function isAmbiguous(text: string): boolean {
  return text.length < 40 && AMBIGUOUS.test(text);
}

/** Returns whether readers of YAML 1.1 change an unquoted key, as in `0x10`, which becomes `16`. */
export function isAmbiguousKey(text: string): boolean {
  if (isAmbiguous(text)) return true;
  const value = resolvePlain(text);
  return typeof value !== 'symbol' && value !== null && String(value) !== text;
}

/** Returns the value of an unquoted scalar. Integers beyond 2^53 are exact up to 64 bits. */
export function resolvePlain(text: string): null | boolean | number | bigint | string | typeof NOT_JSON {
  switch (text.charCodeAt(0)) {
    case 0x6e: // n
    case 0x4e: // N
      return text === 'null' || text === 'Null' || text === 'NULL' ? null : text;
    case 0x74: // t
    case 0x54: // T
      return text === 'true' || text === 'True' || text === 'TRUE' ? true : text;
    case 0x66: // f
    case 0x46: // F
      return text === 'false' || text === 'False' || text === 'FALSE' ? false : text;
    case 0x7e: // ~
      return text === '~' ? null : text;
    case 0x2b: // +
    case 0x2d: // -
    case 0x2e: // .
      return resolveNumber(text);
    default:
      if (text === '') return null;
      return isDigit(text.charCodeAt(0)) ? resolveNumber(text) : text;
  }
}

/** Returns the value of an integer or float, or the text itself if it is neither. */
export function resolveNumber(text: string): number | bigint | string | typeof NOT_JSON {
  if (INT.test(text)) return toInteger(text);
  if (OCTAL.test(text) || HEX.test(text)) return toInteger(text);
  if (FLOAT.test(text)) return finite(Number(text));
  return INFINITE.test(text) ? NOT_JSON : text;
}

function toInteger(text: string): number | bigint | typeof NOT_JSON {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  if (text.length > LONGEST_INTEGER + 1) return finite(value);
  const exact = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return exact > MAX_UINT64 || exact < MIN_INT64 ? finite(value) : exact;
}

function finite(value: number): number | typeof NOT_JSON {
  return Number.isFinite(value) ? value : NOT_JSON;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
