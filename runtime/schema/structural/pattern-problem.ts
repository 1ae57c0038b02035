/** The problem with the pattern of a schema, in the words that clients know. */
import { RE2JS } from 're2js';

/** The same few patterns are written many times in one definition. */
const known = new Map<string, string | undefined>();
const maxKnown = 512;

/** The longest pattern that is compiled, in UTF-16 units; it bounds what a pattern can cost. */
const maxLength = 10_000;

/** The problem with a regular expression of RE2; `undefined` where it can be compiled. */
export function patternProblem(source: string): string | undefined {
  if (source.length > maxLength) return 'error parsing regexp: expression too large';
  if (known.has(source)) return known.get(source);
  const problem = compileProblem(source);
  if (known.size >= maxKnown) known.clear();
  known.set(source, problem);
  return problem;
}

function compileProblem(source: string): string | undefined {
  try {
    RE2JS.compile(source);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
