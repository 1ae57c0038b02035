/** The problem with the pattern of a schema, in the words that clients know. */
import { RE2JS } from 're2js';
import { memoize } from '../../objects/memoize.js';

/** The longest pattern that is compiled, in UTF-16 units; it bounds what a pattern can cost. */
const maxLength = 10_000;

/** A definition is checked several times, and has the same patterns in many places. */
const compiled = memoize((source) => ({ problem: compileProblem(source) }), {
  most: Number.POSITIVE_INFINITY,
  longest: maxLength,
  together: 4 * 1024 * 1024,
});

/** The problem with a regular expression of RE2; `undefined` where it can be compiled. */
export function patternProblem(source: string): string | undefined {
  return source.length > maxLength ? 'error parsing regexp: expression too large' : compiled(source).problem;
}

function compileProblem(source: string): string | undefined {
  try {
    RE2JS.compile(source);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
