/** Conditions that a request has to meet before a webhook or policy is asked. */
import type { MatchCondition } from '../../generated/types/admissionregistration/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, required, tooMany } from '../../runtime/objects/field-error.js';
import { qualifiedNameCheck } from '../../runtime/objects/names/key-names.js';
import { type Compiled, checkExpression, expressionErrors } from './policy-expressions.js';

const maxConditions = 64;

type Condition = Draft<MatchCondition>;

/** Errors of the conditions of a webhook or policy; `sees` says what their expressions may mention. */
export function matchConditionErrors(
  conditions: readonly Condition[] | undefined,
  field: string,
  sees: Compiled,
): readonly FieldError[] {
  if (conditions === undefined) return [];
  const seen = new Set<string>();
  const errors = conditions.flatMap((condition, i) => {
    const { name = '' } = condition;
    const again = name !== '' && seen.has(name) ? [duplicate(`${field}[${i}].name`, name)] : [];
    seen.add(name);
    return [...conditionErrors(condition, `${field}[${i}]`, sees), ...again];
  });
  const { length } = conditions;
  return length > maxConditions ? [tooMany(field, length, maxConditions), ...errors] : errors;
}

/** Checks expressions one by one; what is found is kept for those who ask for errors. */
export function* checkConditions(conditions: readonly Condition[] = [], sees: Compiled): Generator<undefined> {
  for (const { expression = '' } of conditions) {
    const text = expression.trim();
    if (text !== '') checkExpression(text, sees);
    yield;
  }
}

function conditionErrors(
  { name = '', expression = '' }: Condition,
  field: string,
  sees: Compiled,
): readonly FieldError[] {
  const text = expression.trim();
  const errors = text === '' ? [required(`${field}.expression`)] : expressionErrors(text, `${field}.expression`, sees);
  if (name === '') return [...errors, required(`${field}.name`)];
  return [...errors, ...qualifiedNameCheck(name).map((problem) => invalidValue(`${field}.name`, name, problem))];
}
