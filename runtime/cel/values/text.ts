/** Texts by code points, where JavaScript counts UTF-16 units. */
import { RE2JS } from 're2js';
import { fail } from './error.js';

const surrogate = /[\ud800-\udfff]/;

/** Whether a text has units that are not code points of their own. */
export function hasSurrogates(text: string): boolean {
  return surrogate.test(text);
}

/** The longest text whose having pairs is remembered, in UTF-16 units. */
const maxRemembered = 256;

/** The text that was found to have no pairs last: a rule asks for the size of the same text more than once. */
let lastPlain = '';

/** The number of code points; the text's length where it has no pairs, which is nearly always. */
export function textSize(text: string): number {
  if (text === lastPlain) return text.length;
  if (!surrogate.test(text)) {
    if (text.length <= maxRemembered) lastPlain = text;
    return text.length;
  }
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Order by code points. Only pairs sort differently as UTF-16. */
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

/** Units of pairs come after all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** The UTF-16 index of the code point with an index of its own; `undefined` past the end. */
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

/** The number of code points before a UTF-16 index. */
export function pointIndex(text: string, units: number): number {
  return surrogate.test(text) ? textSize(text.slice(0, units)) : units;
}

const compiled = new Map<string, RE2JS>();
const maxCompiled = 256;

/** The longest pattern that is compiled. */
const maxLength = 10_000;

/** A compiled pattern; the last few are remembered. One that is wrong is an error. */
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
