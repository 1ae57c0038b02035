/** The rules of a schema as a stage of validation: the last one, for objects whose fields can be relied on. */
import { checkRules as checkRulesOf } from '../../../cel/index.js';
import type { ApiObject, FieldError, Observer } from '../../../contract/index.js';
import type { ServedResource } from '../../../resource/served-resource.js';

/** Adds what the rules say of an object to what is known to be wrong with it, or that they could not be asked. */
export function checkRules(
  { rules }: ServedResource,
  object: ApiObject,
  old: ApiObject | undefined,
  errors: FieldError[],
  observer?: Observer,
): void {
  if (rules === undefined) return;
  const began = performance.now();
  if (checkRulesOf(rules, object, old, errors)) observer?.evaluated((performance.now() - began) / 1000);
}
