/** Converts between values and the texts of inputs. */
import type { OpenApiSchema } from 'kindforge/client';

/** Returns the text that an input shows for a value. */
export const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** Returns the number in a text, or the reason if it is not a number. Whole numbers past 2^53 are a `bigint`. */
export function readNumber(text: string, isInteger: boolean): number | bigint | string {
  const plain = text.trim();
  if (/^[-+]?\d+$/.test(plain)) {
    const value = Number(plain);
    return Number.isSafeInteger(value) ? value + 0 : BigInt(plain.replace('+', ''));
  }
  if (isInteger) return 'not a whole number';
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(plain) && Number.isFinite(Number(plain))
    ? Number(plain)
    : 'not a number';
}

/** Returns the whole number in a text, else the text. */
export const readIntOrString = (text: string): string | number => {
  const value = Number(text);
  return /^-?(?:0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(value) ? value + 0 : text;
};

/** Describes the bounds of a value for people, from the keywords of its schema; empty if it has none. */
export function boundsOf(schema: OpenApiSchema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  return [range(minimum, maximum, ''), range(minLength, maxLength, ' characters'), range(minItems, maxItems, ' items')]
    .filter(Boolean)
    .join(', ');
}

function range(least: number | bigint | undefined, most: number | bigint | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${unit}`;
  return most === undefined ? '' : `at most ${most}${unit}`;
}

/** Returns the text in base64, or `undefined` if it is not base64 of UTF-8. */
export function decodeBytes(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns a text as base64 of its UTF-8. */
export const encodeBytes = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
