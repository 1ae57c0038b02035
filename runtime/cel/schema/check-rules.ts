/** Holds an object against the rules of its schema once its fields are known to be such that rules can rely on them. */
import type { CauseReason, FieldError, JsonObject } from '../../contract/index.js';
import { invalidValue } from '../../objects/field-error.js';
import type { RulePlace } from './rule-tree.js';
import { validateRules } from './validate-rules.js';

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

/**
 * Adds what rules say of an object to the errors that are known of it, or that the rules could not be asked. `old` is
 * the object before an update. Returns whether rules were evaluated.
 */
export function checkRules(
  rules: RulePlace | undefined,
  object: JsonObject,
  old: JsonObject | undefined,
  errors: FieldError[],
): boolean {
  if (rules === undefined) return false;
  if (errors.some(({ reason }) => blocking.has(reason))) {
    errors.push(rulesSkipped);
    return false;
  }
  validateRules(rules, object, old, errors);
  return true;
}
