/** Objects of flow control whose spec is given by the server. */
import type { FieldError, JsonObject, ObjectMeta } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue } from '../../runtime/objects/field-error.js';

/** An object with its spec, whichever of the two kinds it is. */
interface Specified<T> {
  readonly metadata: ObjectMeta;
  readonly spec?: T | undefined;
}

/** The error of an object that has the name of a mandatory one but another spec. */
export function fixedSpecErrors<T extends JsonObject>(
  { metadata: { name = '' }, spec }: Specified<T>,
  fixed: ReadonlyMap<string, T>,
): readonly FieldError[] {
  const wanted = fixed.get(name);
  if (wanted === undefined || equal(spec, wanted)) return [];
  return [invalidValue('spec', spec, `spec of '${name}' must equal the fixed value`)];
}
