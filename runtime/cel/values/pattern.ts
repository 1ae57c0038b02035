/** Regular expressions of RE2 syntax, matched in linear time whatever the pattern and the text. */
import { RE2JS } from 're2js';
import { fail } from './error.js';

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
