/** Stands in for what kinds do with their objects, until that is read from a file of its own. */
import type { SchemaFunctions } from '../../runtime/contract/index.js';

/** The functions of each kind, by its path as in `core/v1/pods`. */
export type LateKinds = Readonly<Record<string, SchemaFunctions>>;

let kinds: LateKinds | undefined;

/**
 * The functions of a kind, which has those of these names. The file is read by the first call of any kind's; it throws
 * where the file is not the one that was built with this.
 */
export function lateFunctions(kind: string, names: readonly string[], load: () => LateKinds): SchemaFunctions {
  let known: SchemaFunctions | undefined;
  const functions = (): SchemaFunctions => {
    kinds ??= load();
    known ??= kinds[kind];
    if (!known) throw new Error(`the build is damaged: there is nothing of ${kind}`);
    return known;
  };
  const { normalize, dropDisabled, validateUpdate, ...always } = forwarding(functions);
  return {
    ...always,
    ...(names.includes('normalize') && { normalize }),
    ...(names.includes('dropDisabled') && { dropDisabled }),
    ...(names.includes('validateUpdate') && { validateUpdate }),
  };
}

const forwarding = (to: () => SchemaFunctions): Required<SchemaFunctions> => ({
  normalize: (object) => to().normalize?.(object),
  prune: (object, report) => to().prune(object, report),
  applyDefaults: (object) => to().applyDefaults(object),
  dropDisabled: (object, old, enabled) => to().dropDisabled?.(object, old, enabled),
  validate: (object, errors) => to().validate(object, errors),
  validateUpdate: (object, old, errors) => to().validateUpdate?.(object, old, errors),
});
