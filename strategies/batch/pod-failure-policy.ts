/** What a job makes of pods that fail: the rules of its policy, each of which looks at exit codes or at conditions. */
import type { FieldError, JsonObject, JsonValue } from '../../runtime/contract/index.js';
import {
  duplicate,
  invalidValue,
  notSupported,
  required,
  tooMany,
  Verbatim,
} from '../../runtime/objects/field-error.js';
import { isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../runtime/objects/key-names.js';
import { quote } from '../../runtime/objects/printing.js';

const maxRules = 20;
const maxPatterns = 20;
const maxExitCodes = 255;

const states = ['False', 'True', 'Unknown'];

/** Errors of a policy at a path; `podSpec` is that of the job's pods. */
export function validatePodFailurePolicy(
  policy: JsonObject,
  podSpec: JsonObject | undefined,
  path: string,
): readonly FieldError[] {
  const rules = objectsIn(policy.rules);
  const containers = new Set(
    ['containers', 'initContainers'].flatMap((field) =>
      objectsIn(podSpec?.[field]).map((each) => stringAt(each, 'name')),
    ),
  );
  return [
    ...(rules.length > maxRules ? [tooMany(`${path}.rules`, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, i) => ruleErrors(rule, `${path}.rules[${i}]`, containers)),
  ];
}

const objectsIn = (list: JsonValue | undefined): readonly JsonObject[] => (isArray(list) ? list.filter(isObject) : []);

function ruleErrors(rule: JsonObject, path: string, containers: ReadonlySet<string>): readonly FieldError[] {
  const codes = objectAt(rule, 'onExitCodes');
  const patterns = objectsIn(rule.onPodConditions);
  return [
    ...(codes ? exitCodeErrors(codes, `${path}.onExitCodes`, containers) : []),
    ...patternErrors(patterns, `${path}.onPodConditions`),
    ...(codes && patterns.length > 0
      ? [ruleError(path, 'specifying both OnExitCodes and OnPodConditions is not supported')]
      : []),
    ...(codes || patterns.length > 0
      ? []
      : [ruleError(path, 'specifying one of OnExitCodes and OnPodConditions is required')]),
  ];
}

/** A rule as a whole is not printed. */
const ruleError = (field: string, problem: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${problem}`,
});

function stateErrors(state: string, path: string): readonly FieldError[] {
  if (state === '') return [required(path, `valid values: [${states.map(quote).join(' ')}]`)];
  return states.includes(state) ? [] : [notSupported(path, state, states)];
}

function exitCodeErrors(codes: JsonObject, path: string, containers: ReadonlySet<string>): readonly FieldError[] {
  const operator = stringAt(codes, 'operator');
  const name = codes.containerName;
  const unknown = 'must be one of the container or initContainer names in the pod template';
  const isUnknown = typeof name === 'string' && !containers.has(name);
  return [
    ...(isUnknown ? [invalidValue(`${path}.containerName`, name, unknown)] : []),
    ...valueErrors(codes.values, operator, `${path}.values`),
  ];
}

function valueErrors(list: JsonValue | undefined, operator: string, path: string): readonly FieldError[] {
  const values = isArray(list) ? list.filter((value) => typeof value === 'number') : [];
  const printed = new Verbatim(`[]int32{${values.join(', ')}}`);
  if (values.length === 0) return [invalidValue(path, printed, 'at least one value is required')];
  const seen = new Set<number>();
  const isOrdered = values.every((value, i) => i === 0 || (values[i - 1] ?? value) <= value);
  return [
    ...(values.length > maxExitCodes ? [tooMany(path, values.length, maxExitCodes)] : []),
    ...values.flatMap((value, i) => {
      const field = `${path}[${i}]`;
      const again = seen.has(value);
      seen.add(value);
      const success = operator === 'In' && value === 0;
      return [
        ...(success ? [invalidValue(field, value, 'must not be 0 for the In operator')] : []),
        ...(again ? [duplicate(field, value)] : []),
      ];
    }),
    ...(isOrdered ? [] : [invalidValue(path, printed, 'must be ordered')]),
  ];
}

function patternErrors(patterns: readonly JsonObject[], path: string): readonly FieldError[] {
  return [
    ...(patterns.length > maxPatterns ? [tooMany(path, patterns.length, maxPatterns)] : []),
    ...patterns.flatMap((pattern, i) => {
      const type = stringAt(pattern, 'type');
      return [
        ...qualifiedNameCheck(type).map((problem) => invalidValue(`${path}[${i}].type`, type, problem)),
        ...stateErrors(stringAt(pattern, 'status'), `${path}[${i}].status`),
      ];
    }),
  ];
}
