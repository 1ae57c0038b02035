/** Conditions under which webhooks and policies are asked at all. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, required, tooMany } from '../../runtime/objects/field-error.js';
import { stringAt } from '../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../runtime/objects/key-names.js';
import { objectsAt } from '../shared/reading.js';
import { type Compiled, expressionErrors } from './policy-expressions.js';

const maxConditions = 64;

/** What is wrong with the conditions of a webhook or policy; `sees` says what their expressions may mention. */
export function matchConditionErrors(parent: JsonObject, field: string, sees: Compiled): readonly FieldError[] {
  const conditions = objectsAt(parent, 'matchConditions');
  const seen = new Set<string>();
  const errors = conditions.flatMap((condition, i) => {
    const name = stringAt(condition, 'name');
    const again = name !== '' && seen.has(name) ? [duplicate(`${field}[${i}].name`, name)] : [];
    seen.add(name);
    return [...conditionErrors(condition, name, `${field}[${i}]`, sees), ...again];
  });
  const { length } = conditions;
  return length > maxConditions ? [tooMany(field, length, maxConditions), ...errors] : errors;
}

function conditionErrors(condition: JsonObject, name: string, field: string, sees: Compiled): readonly FieldError[] {
  const text = stringAt(condition, 'expression').trim();
  const expression =
    text === '' ? [required(`${field}.expression`)] : expressionErrors(text, `${field}.expression`, sees);
  if (name === '') return [...expression, required(`${field}.name`)];
  return [...expression, ...qualifiedNameCheck(name).map((problem) => invalidValue(`${field}.name`, name, problem))];
}
