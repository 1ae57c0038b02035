/** The names of a resource, with what follows from its kind where nothing is written. */
import type { ResourceNames } from '../../runtime/contract/index.js';
import { get, type Raw, string, strings } from '../../runtime/schema/reading/read.js';

/** Names as `spec.names` has them; the singular is the kind in lower case, the list's kind ends in `List`. */
export function readNames(raw: Raw): ResourceNames {
  const kind = string(get(raw, 'kind')) ?? '';
  return {
    plural: string(get(raw, 'plural')) ?? '',
    singular: string(get(raw, 'singular')) || kind.toLowerCase(),
    kind,
    listKind: string(get(raw, 'listKind')) || `${kind}List`,
    shortNames: strings(get(raw, 'shortNames')),
    categories: strings(get(raw, 'categories')),
  };
}
