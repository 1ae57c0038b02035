/** Compiles the rules of a schema, and estimates their total cost. */
import type { Schema, ValidationRule } from '../../contract/index.js';
import { memoizeByObject } from '../../objects/memoize.js';
import { type CompileFailure, compileExpression, type Expression } from '../compile-expression.js';
import { Environment, type EnvironmentOptions } from '../environment.js';
import { type DataType, maxRequestBytes, optionalData } from './data-type.js';
import { type DataTypeOptions, dataTypeOf, minimalBytes } from './from-schema.js';

/** A rule at its place in a schema. */
export interface SchemaRule {
  /** The place of its schema, such as `properties[spec].items`. */
  readonly path: string;
  /** The same place as keys, from the root of the schema: `properties`, `spec`, `items`. */
  readonly steps: readonly string[];
  readonly schema: Schema;
  /** The place of the outermost list around it with items that have no earlier state. */
  readonly uncorrelated: string | undefined;
  /** The index among the rules of its schema. */
  readonly index: number;
  readonly rule: ValidationRule;
  readonly outcome: RuleOutcome;
  /** The estimated cost over all places in an object that it applies to. */
  readonly cost: number;
  /** The outcome and the estimated cost of the message expression, if the rule has one. */
  readonly message?: { readonly outcome: RuleOutcome; readonly cost: number };
}

/** `untyped`: the schema around the rule has no type that expressions can work with. */
export type RuleOutcome =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly reason: 'syntax' | 'types' | 'program'; readonly failure: CompileFailure }
  | { readonly ok: false; readonly reason: 'result'; readonly expression: Expression }
  | { readonly ok: false; readonly reason: 'untyped' };

/** Returns the environment options of an expression by its text. */
export type ReleaseOf = (text: string) => EnvironmentOptions;

/**
 * Compiles all rules of a resource's schema, in their order. `release` is the environment of all expressions, or
 * returns it for each.
 */
export function compileRules(
  schema: Schema,
  release: EnvironmentOptions | ReleaseOf,
  options: DataTypeOptions = {},
): SchemaRule[] {
  const place = { path: '', steps: [], count: 1, isRoot: true, uncorrelated: undefined };
  return [...rulesIn(schema, place, typeof release === 'function' ? release : () => release, options)];
}

interface RuleScope {
  readonly path: string;
  readonly steps: readonly string[];
  /** The maximum number of occurrences in an object; `undefined` if only the size of a request bounds it. */
  readonly count: number | undefined;
  readonly isRoot: boolean;
  readonly uncorrelated: string | undefined;
}

function* rulesIn(
  schema: Schema,
  place: RuleScope,
  release: ReleaseOf,
  options: DataTypeOptions,
): Generator<SchemaRule> {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length > 0) {
    const environments = memoizeByObject((wanted: EnvironmentOptions) =>
      environmentsAt(schema, place.isRoot, wanted, options),
    );
    const count = place.count ?? Math.floor(maxRequestBytes / (minimalBytes(schema) + 1));
    for (const [index, rule] of rules.entries()) {
      if (!isWritten(rule)) continue;
      const { messageExpression } = rule;
      const environmentOf = (text: string) => environments(release(text))(rule);
      const outcome = compileRule(rule.rule, environmentOf(rule.rule));
      const words = messageExpression
        ? compileRule(messageExpression, environmentOf(messageExpression), 'string')
        : undefined;
      const message = words && { outcome: words, cost: costOf(words) * count };
      const { path, steps, uncorrelated } = place;
      const at = { path, steps, schema, uncorrelated, index };
      yield { ...at, outcome, cost: costOf(outcome) * count, rule, ...(message ? { message } : {}) };
    }
  }
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    yield* rulesIn(inner, below(place, `properties[${name}]`, ['properties', name], 1), release, options);
  }
  if (schema.items !== undefined) {
    const isMap = schema['x-kubernetes-list-type'] === 'map';
    const uncorrelated = place.uncorrelated ?? (isMap ? undefined : place.path);
    const inner = below({ ...place, uncorrelated }, 'items', ['items'], schema.maxItems);
    yield* rulesIn(schema.items, inner, release, options);
  }
  if (typeof schema.additionalProperties === 'object') {
    const inner = below(place, 'additionalProperties', ['additionalProperties'], schema.maxProperties);
    yield* rulesIn(schema.additionalProperties, inner, release, options);
  }
}

/** Returns whether a rule has text. A rule without text is a mistake of the definition. */
export function isWritten({ rule }: Partial<ValidationRule>): boolean {
  return rule !== undefined && rule.trim() !== '';
}

function below(
  above: RuleScope,
  name: string,
  steps: readonly string[],
  times: number | bigint | undefined,
): RuleScope {
  const count = above.count === undefined || times === undefined ? undefined : above.count * Number(times);
  const path = above.path === '' ? name : `${above.path}.${name}`;
  return { path, steps: [...above.steps, ...steps], count, isRoot: false, uncorrelated: above.uncorrelated };
}

/** Returns the environment of a rule; `undefined` if the schema at its place names no type. */
export type RuleEnvironments = (rule: Pick<ValidationRule, 'optionalOldSelf'>) => Environment | undefined;

/**
 * Returns the environments of the rules at a place. Their variables are `self` and `oldSelf`, which is an optional
 * value if the rule says so and the release has optional values.
 */
export function environmentsAt(
  schema: Schema,
  isRoot: boolean,
  release: EnvironmentOptions,
  options: DataTypeOptions,
): RuleEnvironments {
  const isResource = (isRoot && options.isResource !== false) || schema['x-kubernetes-embedded-resource'] === true;
  // In the reference these types have numbers, which keep them apart. Here, no two of them are in one environment.
  const data = dataTypeOf(schema, 'selfType1', { ...options, isResource });
  if (data === undefined) return () => undefined;
  const self = { type: data.type, data };
  const seen = (old: DataType): Environment =>
    new Environment({ ...release, variables: { self, oldSelf: { type: old.type, data: old } } });
  let plain: Environment | undefined;
  let optional: Environment | undefined;
  return (rule) => {
    if (isOptional(rule, release)) {
      optional ??= seen(optionalData(data));
      return optional;
    }
    plain ??= seen(data);
    return plain;
  };
}

/** Returns whether `oldSelf` is an optional value for a rule. Such a rule applies without an earlier state too. */
export function isOptional({ optionalOldSelf }: Pick<ValidationRule, 'optionalOldSelf'>, release: EnvironmentOptions) {
  return optionalOldSelf === true && hasOptionals(release);
}

/** Returns whether a release has optional values. */
export function hasOptionals({ libraries }: EnvironmentOptions): boolean {
  return libraries.some(({ optionalSyntax }) => optionalSyntax === true);
}

/** Compiles the expression of a rule, or of its message, which yields a text. */
export function compileRule(
  text: string,
  environment: Environment | undefined,
  yields: 'bool' | 'string' = 'bool',
): RuleOutcome {
  if (environment === undefined) return { ok: false, reason: 'untyped' };
  const result = compileExpression(text, environment);
  if (!result.ok) return { ok: false, reason: result.failure.phase, failure: result.failure };
  const { expression } = result;
  return expression.type.kind === yields ? { ok: true, expression } : { ok: false, reason: 'result', expression };
}

const costOf = (outcome: RuleOutcome): number => ('expression' in outcome ? outcome.expression.cost.max : 0);
