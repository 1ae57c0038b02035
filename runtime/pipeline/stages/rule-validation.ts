/** The rules of a schema as a stage of validation: the last one, for objects whose fields can be relied on. */
import { validateRules } from '../../cel/index.js';
import type { ApiObject, CauseReason, FieldError, Observer } from '../../contract/index.js';
import { invalidValue } from '../../objects/field-error.js';
import type { ServedResource } from '../served-resource.js';

/** Errors after which rules make no sense: what they read may be missing or of another type. */
const blocking: ReadonlySet<CauseReason> = new Set<CauseReason>([
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const rulesSkipped = invalidValue(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; ' +
    'correct the existing errors to complete validation',
);

/** Adds what the rules say of an object to what is known to be wrong with it, or that they could not be asked. */
export function checkRules(
  { rules }: ServedResource,
  object: ApiObject,
  old: ApiObject | undefined,
  errors: FieldError[],
  observer?: Observer,
): void {
  if (rules === undefined) return;
  if (errors.some(({ reason }) => blocking.has(reason))) {
    errors.push(rulesSkipped);
    return;
  }
  const began = performance.now();
  validateRules(rules, object, old, errors);
  observer?.evaluated((performance.now() - began) / 1000);
}
