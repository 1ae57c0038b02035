/** Label selectors: turns their text or object form into a function that selects labels. */
import type { FieldError, JsonObject, JsonValue, Result } from '../../contract/index.js';
import { badRequest } from '../failures.js';
import { forbidden, invalidValue, required } from '../field-error.js';
import { getOwn, isArray, isObject, isStringArray, isStringMap, objectAt, stringAt } from '../guards.js';
import { validateLabels } from '../names/metadata-rules.js';
import { labelValue, qualifiedNameCheck } from '../names/name-checks.js';
import { quote } from '../printing.js';
import { parseLabelRequirements } from './label-parser.js';
import {
  compileRequirement,
  type LabelMatcher,
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  labelRequirement,
} from './label-requirements.js';

export type { LabelMatcher, LabelOperator, LabelRequirement, Labels };

/** A compiled selector. */
export interface LabelSelector {
  /** In the order written; all must hold. */
  readonly requirements: readonly LabelRequirement[];
  /** Whether it selects everything, so that callers need not match anything. */
  readonly everything: boolean;
  readonly matches: LabelMatcher;
}

/** Selects all objects. */
export const everything: LabelSelector = { requirements: [], everything: true, matches: () => true };

/** Selects no objects, as an absent selector object does. */
export const nothing: LabelSelector = { requirements: [], everything: false, matches: () => false };

/** Compiles conditions. Matching costs one property read per condition. */
export function compileLabels(requirements: readonly LabelRequirement[]): LabelSelector {
  if (requirements.length === 0) return everything;
  const tests = requirements.map(compileRequirement);
  const [only] = tests;
  const matches = tests.length === 1 && only !== undefined ? only : all(tests);
  return { requirements, everything: false, matches };
}

function all(tests: readonly LabelMatcher[]): LabelMatcher {
  return (labels) => {
    for (const test of tests) if (!test(labels)) return false;
    return true;
  };
}

/** Reads the text form (`a=b,c!=d,e in (x,y),!f,g notin (),x>1`); an empty text selects everything. */
export function parseLabelSelector(text: string): Result<LabelSelector> {
  const parsed = parseLabelRequirements(text);
  return parsed.ok ? { ok: true, value: compileLabels(parsed.value) } : parsed;
}

/**
 * Reads the object form (`matchLabels`, `matchExpressions`). An absent selector selects nothing, an empty one
 * everything. Skips parts that break the schema, because decoding has refused them before.
 */
export function labelSelectorOf(selector: JsonObject | undefined): Result<LabelSelector> {
  if (selector === undefined) return { ok: true, value: nothing };
  const requirements: LabelRequirement[] = [];
  const labels = objectAt(selector, 'matchLabels') ?? {};
  const wanted: (readonly [string, string, readonly string[]])[] = [];
  if (isStringMap(labels)) for (const [key, value] of Object.entries(labels)) wanted.push([key, 'Equals', [value]]);
  for (const { key, operator, values } of expressionsOf(selector)) {
    if (expressionOperator(operator) === undefined) {
      return { ok: false, failure: badRequest(`${quote(operator)} is not a valid label selector operator`) };
    }
    wanted.push([key, operator, values]);
  }
  for (const [key, operator, values] of wanted) {
    const made = labelRequirement(key, expressionOperator(operator) ?? 'Equals', values);
    if (!made.ok) return made;
    requirements.push(made.value);
  }
  return { ok: true, value: compileLabels(requirements) };
}

/** A requirement in the object form. */
export interface LabelExpression {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

function expressionsOf(selector: JsonObject): readonly LabelExpression[] {
  const list: JsonValue | undefined = selector.matchExpressions;
  if (!isArray(list)) return [];
  return list.filter(isObject).map((expression) => ({
    key: stringAt(expression, 'key'),
    operator: stringAt(expression, 'operator'),
    values: isStringArray(expression.values) ? expression.values : [],
  }));
}

function expressionOperator(operator: string): LabelOperator | undefined {
  switch (operator) {
    case 'In':
    case 'NotIn':
    case 'Exists':
    case 'DoesNotExist':
      return operator;
    default:
      return undefined;
  }
}

/** Checks the object form. */
export function validateLabelSelector(selector: JsonObject, field: string): readonly FieldError[] {
  const labels = objectAt(selector, 'matchLabels') ?? {};
  const errors = isStringMap(labels) ? [...validateLabels(labels, `${field}.matchLabels`)] : [];
  expressionsOf(selector).forEach((expression, index) => {
    errors.push(...expressionErrors(expression, `${field}.matchExpressions[${index}]`));
  });
  return errors;
}

/**
 * Checks one requirement. With `laterOperators`, accepts unknown operators, which a newer client may know.
 *
 * @param field path of the requirement, for errors
 */
export function expressionErrors(
  { key, operator, values }: LabelExpression,
  field: string,
  laterOperators = false,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const known = expressionOperator(operator);
  const takesValues = known === 'In' || known === 'NotIn';
  if (known === undefined) {
    if (!laterOperators) errors.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'));
  } else if (takesValues && values.length === 0) {
    errors.push(required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (!takesValues && values.length > 0) {
    errors.push(forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  }
  for (const problem of qualifiedNameCheck(key)) errors.push(invalidValue(`${field}.key`, key, problem));
  values.forEach((value, index) => {
    for (const problem of labelValue(value)) errors.push(invalidValue(`${field}.values[${index}]`, value, problem));
  });
  return errors;
}

/** Returns the text of a LabelSelector, or of labels that must all be present. Requirements are sorted by key. */
export function formatLabelSelector(selector: JsonObject): string {
  const isSelector = 'matchLabels' in selector || 'matchExpressions' in selector;
  const labels = isSelector ? (objectAt(selector, 'matchLabels') ?? {}) : selector;
  const expressions = isSelector ? getOwn(selector, 'matchExpressions') : undefined;
  const requirements = [
    ...Object.entries(labels).map(([key, value]) => ({ key, text: `${key}=${String(value)}` })),
    ...(isArray(expressions) ? expressions.flatMap(expressionOf) : []),
  ];
  return requirements
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(',');
}

interface Requirement {
  readonly key: string;
  readonly text: string;
}

function expressionOf(expression: JsonValue): readonly Requirement[] {
  if (!isObject(expression)) return [];
  const key = stringAt(expression, 'key');
  const values = getOwn(expression, 'values');
  const list = `(${(isStringArray(values) ? [...values].sort() : []).join(',')})`;
  switch (stringAt(expression, 'operator')) {
    case 'In':
      return [{ key, text: `${key} in ${list}` }];
    case 'NotIn':
      return [{ key, text: `${key} notin ${list}` }];
    case 'Exists':
      return [{ key, text: key }];
    case 'DoesNotExist':
      return [{ key, text: `!${key}` }];
    default:
      return [];
  }
}
