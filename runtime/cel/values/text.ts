/** Texts by code points. JavaScript counts UTF-16 units. */
import { RE2JS } from 're2js';
import { characters } from '../../objects/lines.js';
import { fail } from './error.js';

/** Finds surrogates. Two of them are one code point. */
const surrogate = /[\ud800-\udfff]/;

/** The longest text to remember in `lastPlain`, in UTF-16 units. */
const maxRemembered = 256;

/** The last text found to have no surrogates. Rules often need the size of the same text more than once. */
let lastPlain = '';

/** Counts code points. Without surrogates, as in nearly all texts, the number is the text's length. */
export function textSize(text: string): number {
  if (text === lastPlain) return text.length;
  if (!surrogate.test(text)) {
    if (text.length <= maxRemembered) lastPlain = text;
    return text.length;
  }
  return characters(text);
}

/** Compares texts by code points. Only surrogates sort differently as UTF-16. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  if (!surrogate.test(a) && !surrogate.test(b)) return a < b ? -1 : 1;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Returns the rank of a unit. Surrogates come after all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Returns the UTF-16 index of a code point by its index, or `undefined` past the end. */
export function unitIndex(text: string, index: number): number | undefined {
  if (!surrogate.test(text)) return index <= text.length ? index : undefined;
  let units = 0;
  let points = 0;
  for (const char of text) {
    if (points === index) return units;
    units += char.length;
    points++;
  }
  return points === index ? units : undefined;
}

/** Counts the code points before a UTF-16 index. */
export function pointIndex(text: string, units: number): number {
  return surrogate.test(text) ? textSize(text.slice(0, units)) : units;
}

const compiled = new Map<string, RE2JS>();
const maxCompiled = 256;

/** The longest pattern to compile. */
const maxLength = 10_000;

/** Compiles a pattern, and remembers the last few. Throws an error for an invalid pattern. */
export function compilePattern(source: string): RE2JS {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  if (source.length > maxLength) return fail(`error parsing regexp: expression too large`);
  const pattern = make(source);
  if (compiled.size >= maxCompiled) compiled.clear();
  compiled.set(source, pattern);
  return pattern;
}

function make(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    return fail(error instanceof Error ? error.message : `error parsing regexp: ${source}`);
  }
}
