/** Arranges the compiled rules of a schema as the schema is, without the parts that have none. */
import type { CauseReason, Schema, ValidationRule } from '../../contract/index.js';
import type { Expression } from '../compile-expression.js';
import type { EnvironmentOptions } from '../environment.js';
import { describeIssues } from '../syntax/source.js';
import { fieldPathIn } from './field-path.js';
import type { DataTypeOptions } from './from-schema.js';
import {
  compileRule,
  environmentsAt,
  isOptional,
  isWritten,
  type RuleEnvironments,
  type RuleOutcome,
} from './rules.js';

/** A place in a schema that has rules, or that leads to some. */
export interface RulePlace {
  /** The schema's type as errors print it. */
  readonly type: string;
  readonly rules: readonly PlacedRule[];
  readonly properties: readonly (readonly [string, RulePlace])[];
  readonly values: RulePlace | undefined;
  readonly items: RulePlace | undefined;
  /** Of lists of type `map`: the fields by which an item finds its earlier state. Items of other lists have none. */
  readonly keys: readonly string[] | undefined;
}

/** A rule ready to be evaluated. */
export interface PlacedRule {
  /** What the rule evaluates, or why it cannot. */
  readonly test: { readonly expression: Expression } | { readonly mistake: string };
  /** Whether it compares with an earlier state, and so has nothing to say where there is none. */
  readonly isTransition: boolean;
  /** The words where the rule has no expression for them, or where that yields none. */
  readonly message: string;
  readonly messageExpression: Expression | undefined;
  /** What errors of the evaluation call the rule. */
  readonly title: string;
  readonly reason: CauseReason;
  /** The field that is reported, relative to the place: empty, or as in `spec.labels[a]`. */
  readonly fieldPath: string;
}

/** Compiles all rules of a schema; `undefined` where it has none. */
export function compileRuleTree(
  schema: Schema,
  release: EnvironmentOptions,
  options: DataTypeOptions = {},
): RulePlace | undefined {
  const placedRules = (written: readonly ValidationRule[], part: Schema, isRoot: boolean): PlacedRule[] => {
    const environments = environmentsAt(part, isRoot, release, options);
    return written.map((rule) => placedRule(rule, part, environments, isOptional(rule, release)));
  };
  const placeOf = (part: Schema, isRoot: boolean): RulePlace | undefined => {
    const properties = Object.entries(part.properties ?? {}).flatMap(([name, inner]): [string, RulePlace][] => {
      const place = placeOf(inner, false);
      return place ? [[name, place]] : [];
    });
    const { additionalProperties: inner, items } = part;
    const below = {
      properties,
      values: typeof inner === 'object' ? placeOf(inner, false) : undefined,
      items: items && placeOf(items, false),
    };
    const written = (part['x-kubernetes-validations'] ?? []).filter(isWritten);
    if (written.length === 0 && properties.length === 0 && !below.values && !below.items) return undefined;
    return {
      type: part.type ?? '',
      rules: written.length === 0 ? [] : placedRules(written, part, isRoot),
      ...below,
      keys: part['x-kubernetes-list-type'] === 'map' ? part['x-kubernetes-list-map-keys'] : undefined,
    };
  };
  return placeOf(schema, true);
}

function placedRule(
  rule: ValidationRule,
  schema: Schema,
  environments: RuleEnvironments,
  takesNone: boolean,
): PlacedRule {
  const environment = environments(rule);
  const outcome = compileRule(rule.rule, environment);
  const message = rule.message?.trim() ?? '';
  const title = message === '' ? rule.rule.trim() : message;
  const worded = rule.messageExpression ? compileRule(rule.messageExpression, environment, 'string') : undefined;
  return {
    test: outcome.ok ? { expression: outcome.expression } : { mistake: mistakeOf(rule.rule, outcome) },
    isTransition: !takesNone && outcome.ok && outcome.expression.variables.has('oldSelf'),
    message: message === '' ? `failed rule: ${title}` : message,
    messageExpression: worded?.ok === true ? worded.expression : undefined,
    title,
    reason: reasons.find((one) => one === rule.reason) ?? 'FieldValueInvalid',
    fieldPath: reportedPath(schema, rule.fieldPath),
  };
}

/** The field that a rule reports; the rule's own place where it names none, or one that is not there. */
function reportedPath(schema: Schema, fieldPath = ''): string {
  const found = fieldPathIn(schema, fieldPath);
  return found.ok ? found.path : '';
}

const reasons = ['FieldValueRequired', 'FieldValueForbidden', 'FieldValueDuplicate'] as const;

function mistakeOf(rule: string, outcome: Exclude<RuleOutcome, { readonly ok: true }>): string {
  if ('failure' in outcome) return `compilation failed: ${describeIssues(rule, outcome.failure.issues)}`;
  return outcome.reason === 'result'
    ? 'cel expression must evaluate to a bool'
    : 'the schema around the rule has no type that expressions can work with';
}
