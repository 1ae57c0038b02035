/** Taints of devices, and tolerations of claims. */

import type { DeviceTaint, DeviceToleration } from '../../generated/types/resource/v1/types.js';
import type { Draft } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { labelValue, qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import { checkName, checkText, type FieldErrors } from '../shared/field-checks.js';

const effects = ['NoExecute', 'NoSchedule', 'None'];

/** A toleration without an operator compares values. */
export function defaultTolerations(tolerations: readonly Draft<DeviceToleration>[] = []): void {
  for (const toleration of tolerations) toleration.operator ||= 'Equal';
}

/** Checks a taint. Its value may be empty, as values of labels may. */
export function* checkTaint({ key = '', value = '', effect = '' }: Draft<DeviceTaint>, path: string): FieldErrors {
  yield* checkName(`${path}.key`, key, qualifiedNameCheck);
  if (value !== '') yield* checkText(`${path}.value`, value, labelValue);
  if (effect === '') yield required(`${path}.effect`);
  else if (!effects.includes(effect)) yield notSupported(`${path}.effect`, effect, effects);
}

/** Checks a toleration. Only `Exists` needs no key, and it takes no value. */
export function* checkToleration(toleration: Draft<DeviceToleration>, path: string): FieldErrors {
  const { key = '', operator = '', value = '', effect = '' } = toleration;
  if (key !== '') yield* checkText(`${path}.key`, key, qualifiedNameCheck);
  if (operator === 'Exists') {
    if (value !== '') yield invalidValue(`${path}.value`, value, 'must be empty for operator `Exists`');
  } else if (operator === 'Equal') {
    if (key === '') yield required(`${path}.key`, "is required when `operator` is 'Equal'");
    if (value !== '') yield* checkText(`${path}.value`, value, labelValue);
  } else if (operator === '') yield required(`${path}.operator`);
  else yield notSupported(`${path}.operator`, operator, ['Equal', 'Exists']);
  if (effect !== '' && !effects.includes(effect)) yield notSupported(`${path}.effect`, effect, effects);
}
