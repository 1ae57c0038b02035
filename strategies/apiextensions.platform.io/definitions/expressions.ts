/** Validation rules of schemas, and what else depends on the release: functions, formats, and costs. */
import {
  type DataTypeOptions,
  type EnvironmentOptions,
  laterReading,
  type ReleaseOf,
  schemaCostLimit,
} from '../../../runtime/cel/index.js';
import { environmentOf } from '../../../runtime/cel/releases.js';
import { forbidden } from '../../../runtime/objects/field-error.js';
import { stringAt } from '../../../runtime/objects/guards.js';
import type { Release } from '../../../runtime/objects/release.js';
import { formatsOf, type LaterFormats } from '../../../runtime/schema/index.js';
import { validations, withAllBelow } from '../../../runtime/schema/structural/index.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import { objectsAt, type Spec } from '../definition-versions.js';

/** The functions that rules may use, and the types of the objects that they see. */
export interface Expressions {
  /** The environment of stored rules. */
  readonly release: EnvironmentOptions;
  /** The environment of new rules. */
  readonly added: EnvironmentOptions;
  /** The rules and messages of the stored definition. */
  readonly kept: ReadonlySet<string>;
  readonly options: DataTypeOptions;
  /** The formats that defaults are checked against. */
  readonly formats: LaterFormats;
  /** Whether errors of defaults that break a rule print values. */
  readonly showsValues: boolean;
  /** Whether an update must keep the authorities of a conversion webhook readable. */
  readonly checksAuthorities: boolean;
}

/** Returns the expressions of a release. */
export function expressionsOf(release: Release): Expressions {
  return {
    release: environmentOf(release, 'stored'),
    added: environmentOf(release, 'new'),
    kept: new Set(),
    options: release.does('laterExpressions') ? laterReading : {},
    formats: formatsOf(release),
    showsValues: release.does('valuesInRuleErrors'),
    checksAuthorities: release.does('conversionAuthoritiesChecked'),
  };
}

/** Returns the expressions for an update: rules of the stored definition stay valid. */
export function keepRules(expressions: Expressions, { versions }: Spec): Expressions {
  const rules = (versions ?? [])
    .flatMap(({ schema }) => (schema?.openAPIV3Schema ? [...withAllBelow(schema.openAPIV3Schema)] : []))
    .flatMap((schema) => objectsAt(schema, validations));
  const texts = rules.flatMap((rule) => [stringAt(rule, 'rule'), stringAt(rule, 'messageExpression')]);
  return { ...expressions, kept: new Set(texts) };
}

/** Returns what an expression of a definition may use. */
export const releaseOf =
  ({ release, added, kept }: Expressions): ReleaseOf =>
  (text) =>
    kept.has(text) ? release : added;

/** The most expressions that are named if the total cost is too high, and the lowest cost of a named one. */
const maxNamed = 4;
const worthNaming = schemaCostLimit / 100;

interface Cost {
  readonly path: string;
  readonly cost: number;
}

/** Adds up the costs of the expressions of one schema. */
export class CostAccount {
  private total = 0;
  private named: readonly Cost[] = [];

  /** Adds the cost of an expression over all places that it applies to. */
  add(path: string, cost: number): void {
    this.total += cost;
    if (cost < worthNaming) return;
    this.named = [...this.named, { path, cost }].sort((a, b) => b.cost - a.cost).slice(0, maxNamed);
  }

  /** If the total is too high, reports the most expensive expressions and the schema. */
  *errors(path: string): FieldErrors {
    if (this.total <= schemaCostLimit) return;
    const rule = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    for (const one of this.named) yield forbidden(one.path, rule);
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    yield forbidden(path, costProblem(what, this.total, schemaCostLimit));
  }
}

/** Returns by how much a cost exceeds its limit, and what helps. */
export function costProblem(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  // Near the limit, one digit would round to 1.0.
  const times = factor > 100 ? 'more than 100' : factor.toFixed(factor < 1.5 ? 6 : 1);
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${times}x (${advice})`;
}
