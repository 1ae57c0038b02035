/** Conditions in the form that kinds share: type, status, time, reason and message. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, required } from '../../runtime/objects/field-error.js';
import { stringAt } from '../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../runtime/objects/key-names.js';
import { patternCheck } from '../../runtime/objects/name-patterns.js';
import { objectsAt } from './reading.js';

const reasonCheck = patternCheck({
  source: '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?',
  meaning:
    'a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric ' +
    "characters or '_,:', and must end with an alphanumeric character or '_'",
  examples: ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'],
});

/** What is wrong with the conditions of a status beyond what their schema says; `field` is their path. */
export function conditionErrors(status: JsonObject | undefined, field: string): readonly FieldError[] {
  const seen = new Set<string>();
  return objectsAt(status, 'conditions').flatMap((condition, i) => {
    const type = stringAt(condition, 'type');
    const again = seen.has(type) ? [duplicate(`${field}[${i}].type`, type)] : [];
    seen.add(type);
    return [...again, ...oneErrors(condition, type, `${field}[${i}]`)];
  });
}

function oneErrors(condition: JsonObject, type: string, field: string): readonly FieldError[] {
  return [
    ...qualifiedNameCheck(type).map((problem) => invalidValue(`${field}.type`, type, problem)),
    ...(stringAt(condition, 'lastTransitionTime') === ''
      ? [required(`${field}.lastTransitionTime`, 'must be set')]
      : []),
    ...reasonErrors(stringAt(condition, 'reason'), `${field}.reason`),
  ];
}

function reasonErrors(reason: string, field: string): readonly FieldError[] {
  if (reason === '') return [required(field, 'must be set')];
  return reasonCheck(reason).map((problem) => invalidValue(field, reason, problem));
}
