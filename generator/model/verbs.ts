/** Request verbs in definitions. */
import type { Verb } from '../../runtime/contract/index.js';
import { oneOf, type Raw, strings } from '../../runtime/schema/reading/read.js';

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

/** The verbs of a list; what is no verb is left out. */
export function readVerbs(raw: Raw): readonly Verb[] {
  return strings(raw).flatMap((each) => readVerb(each) ?? []);
}
