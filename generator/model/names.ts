/** Reads the names of a resource. Names that are missing follow from its kind. */
import type { ResourceNames } from '../../runtime/contract/index.js';
import type { ResourceDefinition } from '../load/definition-format.js';
import type { Part } from './part.js';

/** Names as `spec.names` has them; the singular is the kind in lower case, the list's kind ends in `List`. */
export function readNames(names: Part<ResourceDefinition['spec']['names']>): ResourceNames {
  const kind = names.string('kind') ?? '';
  return {
    plural: names.string('plural') ?? '',
    singular: names.string('singular') || kind.toLowerCase(),
    kind,
    listKind: names.string('listKind') || `${kind}List`,
    shortNames: names.strings('shortNames'),
    categories: names.strings('categories'),
  };
}
