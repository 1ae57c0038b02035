/** Finds the matches of regular expressions. */
import { int, list, string } from '../check/types.js';
import { findAll, findFirst } from '../compile/patterns.js';
import type { Library } from '../environment.js';
import { compilePattern } from '../values/text.js';
import type { Int } from '../values/value.js';
import { declare, member } from './declare.js';

export const regexLibrary: Library = {
  name: 'regex',
  functions: [
    declare(
      'find',
      member('string_find_string', [string, string], string, (text: string, pattern: string) =>
        findFirst(compilePattern(pattern), text),
      ),
    ),
    declare(
      'findAll',
      member('string_find_all_string', [string, string], list(string), (text: string, pattern: string) =>
        findAll(compilePattern(pattern), text, -1),
      ),
      member(
        'string_find_all_string_int',
        [string, string, int],
        list(string),
        (text: string, pattern: string, limit: Int) => findAll(compilePattern(pattern), text, limit),
      ),
    ),
  ],
};
