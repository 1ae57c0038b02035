/** Tolerations: the rules for them and for their changes, and the form in which messages print them. */
import type { Toleration } from '../../../generated/types/core/v1/types.js';
import type { Draft, FieldError } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { forbidden, invalidValue, notSupported, Verbatim } from '../../../runtime/objects/field-error.js';
import { labelValue, qualifiedNameCheck } from '../../../runtime/objects/names/key-names.js';
import { quote } from '../../../runtime/objects/printing.js';
import { checkOneOf, checkText, type FieldErrors } from '../../shared/field-checks.js';

type Tolerations = readonly Draft<Toleration>[];

const operators = ['Equal', 'Exists'] as const;
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** The tolerations of a pod's spec, at the path of the list. */
export function* checkTolerations(tolerations: Tolerations = [], path: string): FieldErrors {
  for (const [i, toleration] of tolerations.entries()) yield* tolerationErrors(toleration, `${path}[${i}]`);
}

/** The error of tolerations that are gone or have changed in more than their seconds. Others may be added. */
export function addedTolerationErrors(
  tolerations: Tolerations = [],
  old: Tolerations = [],
  path: string,
): readonly FieldError[] {
  const now = tolerations.map(timeless);
  const kept = old.every((before) => now.some((one) => equal(one, timeless(before))));
  return kept ? [] : [forbidden(path, 'existing toleration can not be modified except its tolerationSeconds')];
}

const timeless = ({ tolerationSeconds: _, ...toleration }: Draft<Toleration>): Draft<Toleration> => toleration;

/** Errors of one toleration. */
export function tolerationErrors(toleration: Draft<Toleration>, path: string): readonly FieldError[] {
  return [...checkToleration(toleration, path)];
}

function* checkToleration(toleration: Draft<Toleration>, path: string): FieldErrors {
  const { key = '', operator = '', effect = '', tolerationSeconds } = toleration;
  if (key !== '') yield* checkText(`${path}.key`, key, qualifiedNameCheck);
  else if (operator !== 'Exists') {
    const problem = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    yield invalidValue(`${path}.operator`, operator, problem);
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    yield invalidValue(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  yield* checkValue(toleration, `${path}.operator`);
  if (effect !== '') yield* checkOneOf(toleration.effect, `${path}.effect`, effects);
}

/** An operator has a value if it compares. Errors of the value name the operator. */
function* checkValue(toleration: Draft<Toleration>, path: string): FieldErrors {
  const { operator = '', value = '' } = toleration;
  if (operator === 'Exists') {
    const problem = "value must be empty when `operator` is 'Exists'";
    if (value !== '') yield invalidValue(path, printedToleration(toleration), problem);
  } else if (operator !== '' && operator !== 'Equal') yield notSupported(path, operator, operators);
  else {
    const problems = labelValue(value);
    if (problems.length > 0) yield invalidValue(path, value, problems.join(';'));
  }
}

/** A toleration as messages print it. Two that print the same are the same. */
export function printedToleration(toleration: Draft<Toleration>): Verbatim {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
  const texts = `Key:${quote(key)}, Operator:${quote(operator)}, Value:${quote(value)}, Effect:${quote(effect)}`;
  return new Verbatim(`core.Toleration{${texts}, TolerationSeconds:${tolerationSeconds ?? '(*int64)(nil)'}}`);
}
