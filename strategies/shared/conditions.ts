/** Conditions in the common form: type, status, time, reason and message. */
import type { Condition } from '../../generated/types/meta/v1/types.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, required } from '../../runtime/objects/field-error.js';
import { patternCheck, qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';

const reasonCheck = patternCheck({
  source: '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?',
  meaning:
    'a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric ' +
    "characters or '_,:', and must end with an alphanumeric character or '_'",
  examples: ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'],
});

/** Returns the fields of conditions in the order in which they are checked. */
export const checkedConditionFields = (path: string): readonly string[] =>
  ['type', 'status', 'observedGeneration', 'lastTransitionTime', 'reason', 'message'].map(
    (name) => `${path}[].${name}`,
  );

/** Checks the conditions of a status beyond their schema. */
export function conditionErrors(conditions: readonly Draft<Condition>[] = [], path: string): readonly FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap((condition, i) => {
    const { type = '' } = condition;
    const again = seen.has(type) ? [duplicate(`${path}[${i}].type`, type)] : [];
    seen.add(type);
    return [...again, ...oneErrors(condition, type, `${path}[${i}]`)];
  });
}

function oneErrors(condition: Draft<Condition>, type: string, path: string): readonly FieldError[] {
  const { lastTransitionTime, reason = '' } = condition;
  return [
    ...qualifiedNameCheck(type).map((problem) => invalidValue(`${path}.type`, type, problem)),
    ...(lastTransitionTime ? [] : [required(`${path}.lastTransitionTime`, 'must be set', '')]),
    ...reasonErrors(reason, `${path}.reason`),
  ];
}

function reasonErrors(reason: string, path: string): readonly FieldError[] {
  if (reason === '') return [required(path, 'must be set', '')];
  return reasonCheck(reason).map((problem) => invalidValue(path, reason, problem));
}
