/** PriorityClass: how high a priority may be, which names are the system's, and what stays as it was. */
import type { ApiObject, FieldError, Strategy } from '../../runtime/contract/index.js';
import { forbidden, invalidValue } from '../../runtime/objects/field-error.js';
import { stringAt } from '../../runtime/objects/guards.js';
import { numberAt } from '../shared/reading.js';
import { systemPriorityClasses, systemPriorityPrefix } from './system-priorities.js';

const maxPriority = 1_000_000_000;

export function definePriorityClassStrategy(): Strategy {
  return {
    kind: 'scheduling.platform.io/PriorityClass',
    // The first generation is the only one: what could be counted cannot be changed.
    prepareForCreate(object) {
      object.metadata.generation = 1;
    },
    // What a class is called and how high it is cannot be changed, and is not looked at again.
    validateCreate: nameErrors,
    validateUpdate: changeErrors,
  };
}

function nameErrors(object: ApiObject): readonly FieldError[] {
  const { name = '' } = object.metadata;
  const value = numberAt(object, 'value');
  if (!name.startsWith(systemPriorityPrefix)) {
    if (value <= maxPriority) return [];
    return [forbidden('value', `maximum allowed value of a user defined priority is ${maxPriority}`)];
  }
  const problem = systemProblem(object, name, value);
  if (problem === undefined) return [];
  const rule = `priority class names with '${systemPriorityPrefix}' prefix are reserved for system use only.`;
  return [forbidden('metadata.name', `${rule} error: ${problem}`)];
}

/** The system's own classes are as the system makes them. */
function systemProblem(object: ApiObject, name: string, value: number): string | undefined {
  const known = systemPriorityClasses.find((one) => one.name === name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (value !== known.value) return `value of ${name} PriorityClass must be ${known.value}`;
  return object.globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function changeErrors(object: ApiObject, old: ApiObject): readonly FieldError[] {
  const valueChanged = numberAt(object, 'value') !== numberAt(old, 'value');
  const policy = stringAt(object, 'preemptionPolicy');
  const policyChanged = policy !== stringAt(old, 'preemptionPolicy');
  return [
    ...(valueChanged ? [forbidden('value', 'may not be changed in an update.')] : []),
    ...(policyChanged ? [invalidValue('preemptionPolicy', policy, 'field is immutable')] : []),
  ];
}
