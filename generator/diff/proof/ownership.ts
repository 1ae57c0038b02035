/** Compares the fields of an object that its manager owns under two definitions. */
import type { JsonObject, Schema } from '../../../runtime/contract/index.js';
import { paths } from '../../../runtime/merge/field-set.js';
import { compileTypedPlan, type Decoding, printPath } from '../../../runtime/merge/index.js';
import { toFieldSet } from '../../../runtime/merge/typed/field-sets.js';
import { equal } from '../../../runtime/objects/equality.js';
import type { OwnedFields } from '../difference.js';

/**
 * Returns a function that compares the owned fields of objects. It returns `undefined` if both definitions divide an
 * object alike, or if it has no owned fields (an empty list, for example).
 */
export function compareOwnership(
  old: Schema,
  later: Schema,
  decoding: Decoding,
): (object: JsonObject) => OwnedFields | undefined {
  const plans = { old: compileTypedPlan(old, decoding).root, new: compileTypedPlan(later, decoding).root };
  const ownedBy = (side: 'old' | 'new', object: JsonObject): readonly string[] =>
    [...paths(toFieldSet(plans[side], object))].map(printPath);
  return (object) => {
    const owned = { old: ownedBy('old', object), new: ownedBy('new', object) };
    const isEmpty = owned.old.length === 0 || owned.new.length === 0;
    return isEmpty || equal([...owned.old], [...owned.new]) ? undefined : owned;
  };
}
