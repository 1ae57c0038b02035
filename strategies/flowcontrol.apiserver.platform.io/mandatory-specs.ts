/** Objects of flow control whose spec is given by the server. */
import type { ApiObject, FieldError, JsonObject } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { objectAt } from '../../runtime/objects/guards.js';

/** What is wrong with an object that is called like one of these. */
export function fixedSpecErrors(object: ApiObject, fixed: ReadonlyMap<string, JsonObject>): readonly FieldError[] {
  const { name = '' } = object.metadata;
  const wanted = fixed.get(name);
  const spec = objectAt(object, 'spec');
  if (wanted === undefined || equal(spec, wanted)) return [];
  return [invalidValue('spec', spec, `spec of '${name}' must equal the fixed value`)];
}
