/** The rules below `allOf`, `anyOf`, `oneOf` and `not`: they narrow values, and do not say what a value is. */
import type { FieldError } from '../../contract/index.js';
import { forbidden, invalidValue } from '../../objects/field-error.js';
import { stringAt } from '../../objects/guards.js';
import { patternProblem } from './pattern-problem.js';
import {
  junctorLists,
  propertyOf,
  says,
  schemaAt,
  schemaListAt,
  schemasAt,
  valueAt,
  type WrittenSchema,
} from './reading.js';

const empty = 'must be empty to be structural';
const absent = 'must be undefined to be structural';
const off = 'must be false to be structural';

/** Keywords that say what a value is, with the rule in words. */
const refused: readonly (readonly [key: string, problem: string])[] = [
  ['type', empty],
  ['additionalProperties', absent],
  ['default', absent],
  ['title', empty],
  ['description', empty],
  ['nullable', off],
  ['x-kubernetes-preserve-unknown-fields', off],
  ['x-kubernetes-embedded-resource', off],
  ['x-kubernetes-int-or-string', off],
  ['x-kubernetes-list-map-keys', empty],
  ['x-kubernetes-list-type', absent],
  ['x-kubernetes-map-type', absent],
  ['x-kubernetes-validations', empty],
];

/** Keywords that say what a value is, and so cannot stand below a junctor. */
export const junctorKeys: readonly string[] = refused.map(([key]) => key);

/** The rules of a schema that may name the two types of an integer or string. */
interface Exceptions {
  readonly anyOf: boolean;
  readonly firstAllOf: boolean;
}

const none: Exceptions = { anyOf: false, firstAllOf: false };

/** Errors of the rules of a schema on its values. */
export function* valueRuleErrors(schema: WrittenSchema, path: string): Generator<FieldError> {
  const [first] = schemaListAt(schema, 'allOf');
  const firstAllOf = first !== undefined && isTypeChoice(first);
  yield* ruleErrors(schema, { anyOf: isTypeChoice(schema), firstAllOf }, path);
}

/** Whether the alternatives of a schema are the two types of an integer or string, and say nothing else. */
export function isTypeChoice(schema: WrittenSchema): boolean {
  const types = schemaListAt(schema, 'anyOf').map((one) => (isTypeAlone(one) ? stringAt(one, 'type') : ''));
  return types.length === 2 && types[0] === 'integer' && types[1] === 'string';
}

const isTypeAlone = (schema: WrittenSchema): boolean =>
  Object.keys(schema).every((key) => key === 'type' || valueAt(schema, key) === undefined);

function* ruleErrors(schema: WrittenSchema, mayName: Exceptions, path: string): Generator<FieldError> {
  for (const key of junctorLists) {
    if (key === 'anyOf' && mayName.anyOf) continue;
    for (const [i, rule] of schemaListAt(schema, key).entries()) {
      const isFirst = key === 'allOf' && i === 0 && mayName.firstAllOf;
      yield* nestedErrors(rule, isFirst ? { anyOf: true, firstAllOf: false } : none, `${path}.${key}[${i}]`);
    }
  }
  const not = schemaAt(schema, 'not');
  if (not !== undefined) yield* nestedErrors(not, none, `${path}.not`);
  const pattern = stringAt(schema, 'pattern');
  const problem = patternProblem(pattern);
  if (problem === undefined) return;
  yield invalidValue(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`);
}

function* nestedErrors(rule: WrittenSchema, mayName: Exceptions, path: string): Generator<FieldError> {
  yield* ruleErrors(rule, mayName, path);
  const items = schemaAt(rule, 'items');
  if (items !== undefined) yield* nestedErrors(items, none, `${path}.items`);
  for (const [name, property] of schemasAt(rule, 'properties')) {
    yield* nestedErrors(property, none, `${path}.properties[${name}]`);
  }
  for (const [key, problem] of refused) {
    const isThere = problem === absent ? valueAt(rule, key) !== undefined : says(rule, key);
    if (isThere) yield forbidden(`${path}.${key}`, problem);
  }
  if (propertyOf(rule, 'metadata') !== undefined) {
    yield forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context');
  }
}
