/** Tolerations: which are sound, which may change, and how messages print them. */
import type { FieldError, JsonObject } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { forbidden, invalidValue, notSupported, Verbatim } from '../../../runtime/objects/field-error.js';
import { getOwn, isInteger, stringAt } from '../../../runtime/objects/guards.js';
import { labelValue, qualifiedNameCheck } from '../../../runtime/objects/key-names.js';
import { quote } from '../../../runtime/objects/printing.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import { objectsAt } from '../../shared/reading.js';

const operators = ['Equal', 'Exists'] as const;
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** The tolerations of a pod's spec, at the path of the list. */
export function* checkTolerations(spec: JsonObject, path: string): FieldErrors {
  for (const [i, toleration] of objectsAt(spec, 'tolerations').entries()) {
    yield* tolerationErrors(toleration, `${path}[${i}]`);
  }
}

/** Tolerations that were there stay, but for how long they hold; others may come. */
export function addedTolerationErrors(spec: JsonObject, old: JsonObject, path: string): readonly FieldError[] {
  const now = objectsAt(spec, 'tolerations').map(timeless);
  const kept = objectsAt(old, 'tolerations').every((before) => now.some((one) => equal(one, timeless(before))));
  return kept ? [] : [forbidden(path, 'existing toleration can not be modified except its tolerationSeconds')];
}

const timeless = ({ tolerationSeconds: _seconds, ...toleration }: JsonObject): JsonObject => toleration;

/** What is wrong with one toleration. */
export function tolerationErrors(toleration: JsonObject, field: string): readonly FieldError[] {
  const [key, operator, value, effect] = textsOf(toleration);
  const keyProblems = key === '' ? [] : qualifiedNameCheck(key);
  return [
    ...keyProblems.map((problem) => invalidValue(`${field}.key`, key, problem)),
    ...(key === '' && operator !== 'Exists'
      ? [
          invalidValue(
            `${field}.operator`,
            operator,
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
          ),
        ]
      : []),
    ...(getOwn(toleration, 'tolerationSeconds') !== undefined && effect !== 'NoExecute'
      ? [invalidValue(`${field}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : []),
    ...valueErrors(toleration, operator, value, field),
    ...(effect === '' || effects.some((known) => known === effect)
      ? []
      : [notSupported(`${field}.effect`, effect, effects)]),
  ];
}

type Texts = readonly [key: string, operator: string, value: string, effect: string];

const textsOf = (toleration: JsonObject): Texts => [
  stringAt(toleration, 'key'),
  stringAt(toleration, 'operator'),
  stringAt(toleration, 'value'),
  stringAt(toleration, 'effect'),
];

function valueErrors(toleration: JsonObject, operator: string, value: string, field: string): readonly FieldError[] {
  if (operator === 'Exists') {
    if (value === '') return [];
    const rule = "value must be empty when `operator` is 'Exists'";
    return [invalidValue(`${field}.operator`, printedToleration(toleration), rule)];
  }
  if (operator !== '' && operator !== 'Equal') return [notSupported(`${field}.operator`, operator, operators)];
  const problems = labelValue(value);
  return problems.length === 0 ? [] : [invalidValue(`${field}.operator`, value, problems.join(';'))];
}

/** A toleration as messages print it; two that print the same are the same. */
export function printedToleration(toleration: JsonObject): Verbatim {
  const [key, operator, value, effect] = textsOf(toleration).map(quote);
  const seconds = getOwn(toleration, 'tolerationSeconds');
  const shown = isInteger(seconds) ? String(seconds) : '(*int64)(nil)';
  const fields = `Key:${key}, Operator:${operator}, Value:${value}, Effect:${effect}, TolerationSeconds:${shown}`;
  return new Verbatim(`core.Toleration{${fields}}`);
}
