/** Conditions of flow control: each has a type. */
import type { ApiObject, FieldError } from '../../runtime/contract/index.js';
import { required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { objectsAt } from '../shared/reading.js';

/** What is wrong with the conditions of a flow schema or priority level. */
export function flowConditionErrors(object: ApiObject): readonly FieldError[] {
  return objectsAt(objectAt(object, 'status'), 'conditions').flatMap((condition, i) =>
    stringAt(condition, 'type') === '' ? [required(`status.conditions[${i}].type`, 'must not be empty')] : [],
  );
}
