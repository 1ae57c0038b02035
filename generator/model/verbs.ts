/** Request verbs in definitions. */
import type { Verb } from '../../runtime/contract/index.js';
import { oneOf } from '../../runtime/schema/read.js';

/** Every verb, in the order of discovery documents. */
export const VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

const readVerb = oneOf(VERBS);

/** Returns the verbs of a list, without unknown words. */
export function knownVerbs(words: readonly string[]): readonly Verb[] {
  return words.flatMap((each) => readVerb(each) ?? []);
}
