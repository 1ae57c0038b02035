/** Finds what a regular expression matches. */
import { int, list, string } from '../check/types.js';
import type { Library } from '../environment.js';
import { compilePattern } from '../values/pattern.js';
import type { Int } from '../values/value.js';
import { declare, member } from './declare.js';

function find(text: string, pattern: string): string {
  const matcher = compilePattern(pattern).matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/** All matches from left to right, or the first few. */
function findAll(text: string, pattern: string, limit: Int = -1): readonly string[] {
  const matcher = compilePattern(pattern).matcher(text);
  const found: string[] = [];
  while ((limit < 0 || found.length < limit) && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

export const regexLibrary: Library = {
  name: 'regex',
  functions: [
    declare('find', member('string_find_string', [string, string], string, find)),
    declare(
      'findAll',
      member('string_find_all_string', [string, string], list(string), (text: string, pattern: string) =>
        findAll(text, pattern),
      ),
      member(
        'string_find_all_string_int',
        [string, string, int],
        list(string),
        (text: string, pattern: string, limit: Int) => findAll(text, pattern, limit),
      ),
    ),
  ],
};
