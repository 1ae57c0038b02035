/** Regular expressions that are constants of a program. */
import type { RE2JS } from 're2js';
import { pattern } from '../../schema/engine/pattern.js';
import { matchingCost } from '../check/call-cost.js';
import type { Meter } from '../check/range.js';
import { compilePattern, textSize } from '../values/text.js';
import type { Int } from '../values/value.js';

/** A compiled pattern and the length of its source, which sets the cost of matching. */
export interface Pattern {
  readonly compiled: RE2JS;
  readonly size: number;
  /** Returns whether a text matches. Remembers texts that matched, like the patterns of schemas. */
  matches(text: string): boolean;
}

/** Compiles a pattern. Throws an error for an invalid one. */
export function patternOf(source: string): Pattern {
  const { matches } = pattern(source);
  return { compiled: compilePattern(source), size: textSize(source), matches: (text) => matches(text) === true };
}

export function matchesPattern(meter: Meter, text: string, { size, matches }: Pattern): boolean {
  meter.charge(matchingCost(textSize(text), size));
  return matches(text);
}

/** Returns the first match, or an empty text. */
export function findPattern(meter: Meter, text: string, { compiled, size }: Pattern): string {
  meter.charge(matchingCost(textSize(text), size));
  return findFirst(compiled, text);
}

/** Returns all matches from left to right, or the first `limit`. */
export function findAllPattern(meter: Meter, text: string, { compiled, size }: Pattern, limit: Int = -1): string[] {
  meter.charge(matchingCost(textSize(text), size));
  return findAll(compiled, text, limit);
}

export function findFirst(pattern: RE2JS, text: string): string {
  const matcher = pattern.matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/** Returns all matches. An empty match right after another one does not count. */
export function findAll(pattern: RE2JS, text: string, limit: Int): string[] {
  const matcher = pattern.matcher(text);
  const found: string[] = [];
  let last = -1;
  while ((limit < 0 || found.length < limit) && matcher.find()) {
    if (matcher.start() === matcher.end() && matcher.start() === last) continue;
    last = matcher.end();
    found.push(matcher.group() ?? '');
  }
  return found;
}
