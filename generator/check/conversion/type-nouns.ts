/** The types of schemas in words. */
import type { Schema } from '../../../runtime/contract/index.js';

export const NOUNS: Readonly<Record<NonNullable<Schema['type']>, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
};
