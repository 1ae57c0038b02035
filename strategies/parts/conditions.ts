/** Conditions in the form that kinds share: type, status, time, reason and message. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, notSupported, required, tooLong } from '../../runtime/objects/field-error.js';
import { stringAt } from '../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../runtime/objects/key-names.js';
import { patternCheck } from '../../runtime/objects/name-patterns.js';
import { byteLength } from '../../runtime/objects/printing.js';
import { numberAt, objectsAt } from './reading.js';

const statuses = ['False', 'True', 'Unknown'] as const;
const maxReason = 1024;
const maxMessage = 32 * 1024;

const reasonCheck = patternCheck({
  source: '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?',
  meaning:
    'a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric ' +
    "characters or '_,:', and must end with an alphanumeric character or '_'",
  examples: ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'],
});

/** What is wrong with the conditions of a status; `field` is their path. */
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
  const status = stringAt(condition, 'status');
  const generation = numberAt(condition, 'observedGeneration');
  const negative = 'must be greater than or equal to zero';
  return [
    ...qualifiedNameCheck(type).map((problem) => invalidValue(`${field}.type`, type, problem)),
    ...(statuses.some((known) => known === status) ? [] : [notSupported(`${field}.status`, status, statuses)]),
    ...(generation < 0 ? [invalidValue(`${field}.observedGeneration`, generation, negative)] : []),
    ...(stringAt(condition, 'lastTransitionTime') === ''
      ? [required(`${field}.lastTransitionTime`, 'must be set')]
      : []),
    ...reasonErrors(stringAt(condition, 'reason'), `${field}.reason`),
    ...(byteLength(stringAt(condition, 'message')) > maxMessage ? [tooLong(`${field}.message`, maxMessage)] : []),
  ];
}

function reasonErrors(reason: string, field: string): readonly FieldError[] {
  if (reason === '') return [required(field, 'must be set')];
  const errors = reasonCheck(reason).map((problem) => invalidValue(field, reason, problem));
  return byteLength(reason) > maxReason ? [...errors, tooLong(field, maxReason)] : errors;
}
