/** Tolerations of taints. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue, notSupported } from '../../runtime/objects/field-error.js';
import { stringAt } from '../../runtime/objects/guards.js';
import { labelValue, qualifiedNameCheck } from '../../runtime/objects/key-names.js';
import { checkText, type FieldErrors, hasAt, objectsAt } from './field-checks.js';

const operators = ['Equal', 'Exists'] as const;
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** The tolerations of an object (a pod's spec, the scheduling of a runtime class), at the path of the list. */
export function* checkTolerations(object: JsonObject, path: string): FieldErrors {
  for (const [i, toleration] of objectsAt(object, 'tolerations').entries()) {
    yield* checkToleration(toleration, `${path}[${i}]`);
  }
}

function* checkToleration(toleration: JsonObject, path: string): FieldErrors {
  const [key, operator] = [stringAt(toleration, 'key'), stringAt(toleration, 'operator')];
  const effect = stringAt(toleration, 'effect');
  if (key !== '') yield* checkText(`${path}.key`, key, qualifiedNameCheck);
  else if (operator !== 'Exists') {
    const problem = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    yield invalidValue(`${path}.operator`, operator, problem);
  }
  if (hasAt(toleration, 'tolerationSeconds') && effect !== 'NoExecute') {
    yield invalidValue(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  yield* checkValue(toleration, operator, path);
  if (effect !== '' && !effects.some((known) => known === effect)) {
    yield notSupported(`${path}.effect`, effect, effects);
  }
}

function* checkValue(toleration: JsonObject, operator: string, path: string): FieldErrors {
  const value = stringAt(toleration, 'value');
  const at = `${path}.operator`;
  if (operator === '' || operator === 'Equal') {
    const problems = labelValue(value);
    if (problems.length > 0) yield invalidValue(at, value, problems.join(';'));
  } else if (operator === 'Exists') {
    if (value !== '') yield invalidValue(at, toleration, "value must be empty when `operator` is 'Exists'");
  } else yield notSupported(at, operator, operators);
}

/** Tolerations that were there stay, but for how long they hold; others may come. */
export function addedTolerationErrors(spec: JsonObject, old: JsonObject, path: string): readonly FieldError[] {
  const now = objectsAt(spec, 'tolerations').map(timeless);
  const kept = objectsAt(old, 'tolerations').every((before) => now.some((one) => equal(one, timeless(before))));
  return kept ? [] : [forbidden(path, 'existing toleration can not be modified except its tolerationSeconds')];
}

const timeless = ({ tolerationSeconds: _seconds, ...toleration }: JsonObject): JsonObject => toleration;
