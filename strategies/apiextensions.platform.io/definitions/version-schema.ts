/** All rules for the schema of a version. */
import {
  compileRules,
  describeIssues,
  type RuleFailure,
  type RuleFault,
  ruleCostLimit,
  ruleFaults,
  ruleReasons,
  type SchemaRule,
} from '../../../runtime/cel/index.js';
import type { FieldError, JsonValue, Schema, ValidationRule } from '../../../runtime/contract/index.js';
import {
  forbidden,
  internalError,
  invalidValue,
  notSupported,
  Verbatim,
} from '../../../runtime/objects/field-error.js';
import { isDeeper } from '../../../runtime/objects/from-below.js';
import { isArray, isObject, stringAt } from '../../../runtime/objects/guards.js';
import { htmlSafe } from '../../../runtime/objects/printed-source.js';
import { quote } from '../../../runtime/objects/printing.js';
import { PLAIN, readSchema } from '../../../runtime/schema/read-schema.js';
import {
  mapType,
  rootFindings,
  schemaFindings,
  schemasBelow,
  structuralErrorsAmong,
  topNode,
  unreadableProblem,
  validations,
  type WrittenSchema,
} from '../../../runtime/schema/structural/index.js';
import type { FieldErrors, PacedErrors } from '../../shared/field-checks.js';
import { defaultErrors } from './defaults.js';
import { CostAccount, costProblem, type Expressions, releaseOf } from './expressions.js';
import { keywordErrors, rootErrors, type SchemaRatchets } from './keyword-errors.js';

export interface SchemaCheck {
  readonly ratchets: SchemaRatchets;
  readonly expressions: Expressions;
}

/** Checks the schema of one version, or the shared one; `path` is the path of its holder. */
export function* schemaErrors(
  holder: { readonly openAPIV3Schema?: WrittenSchema | undefined } | undefined,
  path: string,
  hasStatus: boolean,
  { ratchets, expressions }: SchemaCheck,
): PacedErrors {
  const root = holder?.openAPIV3Schema;
  if (root === undefined) return;
  const place = `${path}.openAPIV3Schema`;
  const tooLarge = extentProblem(root);
  if (tooLarge !== undefined) {
    yield invalidValue(place, new Verbatim('""'), tooLarge);
    return;
  }
  yield;
  const top = topNode(root);
  const findings = [...schemaFindings(top)];
  yield;
  const unreadable = ratchets.requireStructure ? unreadableProblem(root) : undefined;
  yield;
  const asksStructure = ratchets.requireStructure && unreadable === undefined;
  const structure = asksStructure ? structuralErrorsAmong(findings, place) : [];
  const schema = asksStructure && structure.length === 0 ? readSchema(root, PLAIN) : undefined;
  yield;
  const defaults = schema ? [...defaultErrors(schema, place, expressions, ratchets.requirePrunedDefaults)] : [];
  yield;
  const keywords = [...keywordErrors(findings, place, ratchets)];
  const errors = [...rootErrors(rootFindings(top, hasStatus), place), ...structure, ...defaults, ...keywords];
  yield;
  if (schema && defaults.length === 0) {
    const costs = new CostAccount();
    const requireCheap = ratchets.requireCheapRules;
    errors.push(...ruleErrors(schema, place, { expressions, costs, known: keywords, requireCheap }));
    errors.push(...costs.errors(place));
  }
  yield* errors;
  // Most unreadable parts were already reported as unsupported.
  if (errors.length === 0 && unreadable !== undefined) yield invalidValue(place, '', unreadable);
}

/** Several times the size of the largest real definitions. */
const maxDepth = 300;
/** Levels of values in schemas, which are compiled. */
const maxValueDepth = 1_000;
const maxSchemas = 30_000;
const maxPatterns = 5_000;
/** UTF-16 units. */
const maxRules = 64 * 1024;

/** Returns the problem if a schema is too large. Takes linear time and no recursion. */
export function extentProblem(root: WrittenSchema): string | undefined {
  let level: WrittenSchema[] = [root];
  let schemas = 0;
  let rules = 0;
  const patterns = new Set<string>();
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= maxDepth) return `schemas must not be nested more than ${maxDepth} levels deep`;
    schemas += level.length;
    if (schemas > maxSchemas) return `schemas must not have more than ${maxSchemas} parts`;
    const below: WrittenSchema[] = [];
    for (const schema of level) {
      const pattern = stringAt(schema, 'pattern');
      if (pattern !== '') patterns.add(pattern);
      rules += lengthOfRules(schema);
      if (valuesIn(schema).some((value) => isDeeper(value, maxValueDepth))) {
        return `values in schemas must not be nested more than ${maxValueDepth} levels deep`;
      }
      for (const part of schemasBelow(schema)) below.push(part);
    }
    level = below;
  }
  if (patterns.size > maxPatterns) return `schemas must not have more than ${maxPatterns} different patterns`;
  if (rules > maxRules) return `validation rules must not have more than ${maxRules} characters together`;
  return undefined;
}

/** Returns the default, the example and the allowed values of a schema. */
function valuesIn({
  default: standard = null,
  example = null,
  enum: allowed = [],
}: WrittenSchema): readonly JsonValue[] {
  return [standard, example, ...(isArray(allowed) ? allowed : [])];
}

function lengthOfRules(schema: WrittenSchema): number {
  const rules = schema['x-kubernetes-validations'];
  if (!isArray(rules)) return 0;
  return rules
    .filter(isObject)
    .reduce((sum, rule) => sum + stringAt(rule, 'rule').length + stringAt(rule, 'messageExpression').length, 0);
}

// Validation rules must compile, be cheap enough, and find the old value that they compare with.

interface RuleCheck {
  readonly expressions: Expressions;
  readonly costs: CostAccount;
  /** Known errors of the schema. Rules next to them or above them are not checked. */
  readonly known: readonly FieldError[];
  /** Whether each rule must be cheap. */
  readonly requireCheap: boolean;
}

/** Checks the rules of a schema, innermost first. */
export function* ruleErrors(root: Schema, path: string, check: RuleCheck): FieldErrors {
  const { expressions, costs, known, requireCheap } = check;
  const limit = requireCheap ? ruleCostLimit : Number.POSITIVE_INFINITY;
  // A map with an unknown type could be merged in another way, so its entries cannot be found again by name.
  const suffix = `.${mapType}`;
  const odd = known.flatMap(({ field, reason }) =>
    reason === 'FieldValueNotSupported' && field.endsWith(suffix) ? [field.slice(0, -suffix.length)] : [],
  );
  let untyped: string | undefined;
  for (const one of innerFirst(root, compileRules(root, releaseOf(expressions), expressions.options))) {
    const place = below(path, one.path);
    if (place === untyped || known.some(({ field }) => isWithin(field, place))) continue;
    const around = odd.filter((map) => place !== map && isWithin(place, map));
    const lists = one.uncorrelated === undefined ? [] : [below(path, one.uncorrelated)];
    const [uncorrelated] = [...lists, ...around].sort((a, b) => a.length - b.length);
    for (const fault of ruleFaults({ ...one, uncorrelated }, limit)) {
      if (fault.fault === 'untyped') untyped = place;
      // If the rule itself is wrong, its message does not matter.
      if (fault.key !== 'messageExpression' || one.outcome.ok) yield errorOf(fault, one, place);
    }
    addCosts(one, `${place}.${validations}[${one.index}]`, costs);
  }
}

const below = (path: string, place: string): string => [path, place].filter((part) => part !== '').join('.');

const isWithin = (field: string, path: string): boolean => field === path || field.startsWith(`${path}.`);

/** Sorts rules as the reference does. */
function innerFirst(root: Schema, rules: readonly SchemaRule[]): readonly SchemaRule[] {
  if (rules.length === 0) return rules;
  const places = new Map([...schemasIn(root)].map((schema, i) => [schema, i]));
  return [...rules].sort((a, b) => (places.get(a.schema) ?? 0) - (places.get(b.schema) ?? 0));
}

/** Yields the structural parts of a schema, outer parts first. */
function* schemasIn(schema: Schema): Generator<Schema> {
  const { additionalProperties: values, properties = {}, items } = schema;
  if (typeof values === 'object') yield* schemasIn(values);
  for (const property of Object.values(properties)) yield* schemasIn(property);
  if (items !== undefined) yield* schemasIn(items);
  yield schema;
}

function addCosts({ outcome, cost, message }: SchemaRule, place: string, costs: CostAccount): void {
  costs.add(`${place}.rule`, cost);
  if (outcome.ok && message?.outcome.ok) costs.add(`${place}.messageExpression`, message.cost);
}

function errorOf(fault: RuleFault, { rule, index }: SchemaRule, place: string): FieldError {
  const path = `${place}.${validations}[${index}].${fault.key}`;
  const value = rule[fault.key];
  switch (fault.fault) {
    case 'untyped': {
      const problem = `failed to construct type information for ${validations} rules: unable to convert structural schema to CEL declarations`;
      return internalError(`${place}.${validations}`, `internal error: ${problem}`);
    }
    case 'unknown-reason':
      return notSupported(path, value, ruleReasons);
    case 'blank-path':
      return invalidValue(path, value, 'fieldPath must be non-empty if specified');
    case 'broken-path':
      return invalidValue(path, value, 'fieldPath must not contain line breaks');
    case 'wrong-path':
      return invalidValue(path, value, `fieldPath is not valid: ${fault.problem}`, 'must be a valid path');
    case 'cost':
      return forbidden(path, costProblem(`estimated ${fault.key} cost`, fault.cost, ruleCostLimit));
    case 'expression': {
      const isRule = fault.key === 'rule';
      const problem = problemOf(
        String(value),
        fault.outcome,
        isRule ? 'cel expression must evaluate to a bool' : 'must evaluate to a string',
      );
      return invalidValue(path, printedRule(rule), isRule ? problem : `messageExpression ${problem}`);
    }
    case 'unused-old-self':
      return invalidValue(path, value, 'may not be set if oldSelf is not used in rule');
    case 'uncorrelated': {
      const problem = 'oldSelf cannot be used on the uncorrelatable portion of the schema within';
      return invalidValue(path, value, `${problem} ${fault.place}`);
    }
  }
}

/** Returns why an expression fails; `wrongType` is the text for a result of the wrong type. */
function problemOf(text: string, outcome: RuleFailure, wrongType: string): string {
  if (!('failure' in outcome)) return wrongType;
  const { phase, issues } = outcome.failure;
  if (phase === 'program') return `program instantiation failed: ${issues.map(({ message }) => message).join('; ')}`;
  return `compilation failed: ${describeIssues(text, issues)}`;
}

/** Prints a rule with its texts. Later releases print all its fields. */
function printedRule({ rule, message = '', messageExpression = '', ...more }: ValidationRule): Verbatim {
  const { reason = null, fieldPath = '', optionalOldSelf = null } = more;
  const texts = `Rule:${quote(rule)}, Message:${quote(message)}, MessageExpression:${quote(messageExpression)}`;
  const later = {
    Rule: rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf,
  };
  return new Verbatim(`apiextensions.ValidationRule{${texts}}`, htmlSafe(JSON.stringify(later)));
}
