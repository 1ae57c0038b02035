/** Builds checks of names from a pattern, a length and the words that say what is allowed. */
import { byteLength } from '../printing.js';

/** Checks a name; each entry of the answer is one thing wrong with it. */
export type NameCheck = (name: string) => readonly string[];

/** A pattern that a whole name must match, and how its failure is worded. */
export interface NamePattern {
  /** Without anchors, as the message quotes it. */
  readonly source: string;
  /** The meaning of the pattern, in words. */
  readonly meaning: string;
  readonly examples: readonly string[];
}

/** Returns `must be no more than 63 characters`. */
export function tooLongName(maximum: number): string {
  return `must be no more than ${maximum} characters`;
}

/** Returns the message for a name that does not match a pattern. */
export function patternProblem({ source, meaning, examples }: NamePattern): string {
  if (examples.length === 0) return `${meaning} (regex used for validation is '${source}')`;
  const listed = examples.map((example) => `'${example}', `).join(' or ');
  return `${meaning} (e.g. ${listed}regex used for validation is '${source}')`;
}

/**
 * Compiles a pattern that must match a whole text. Patterns here have no nested repeats, so they run in linear time.
 */
export function wholeMatch(source: string): RegExp {
  return new RegExp(`^(?:${source})$`);
}

/** Checks a length in bytes and a pattern. */
export function patternCheck(pattern: NamePattern, maxLength = Number.POSITIVE_INFINITY): NameCheck {
  const expression = wholeMatch(pattern.source);
  const problem = patternProblem(pattern);
  return (name) => {
    const tooLong = name.length > maxLength || byteLength(name) > maxLength;
    const matches = expression.test(name);
    if (!tooLong && matches) return none;
    return [...(tooLong ? [tooLongName(maxLength)] : []), ...(matches ? [] : [problem])];
  };
}

/** The answer of a check that found nothing; shared, since it is the usual one. */
export const none: readonly string[] = [];

/** Runs checks one after the other and lists what all of them found. */
export function allOf(...checks: readonly NameCheck[]): NameCheck {
  return (name) => checks.flatMap((check) => check(name));
}

/** Puts a text before each message. */
export function prefixEach(prefix: string, messages: readonly string[]): readonly string[] {
  return messages.map((message) => prefix + message);
}
