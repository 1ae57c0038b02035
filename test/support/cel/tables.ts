/** The public table tests of CEL rules: whether rules hold for an object of a schema, and what they cost. */
import { readFileSync } from 'node:fs';
import type { Schema } from '../../../runtime/contract/index.js';
import { shared } from '../shared.js';

/** Rows of one table with rules about one object. */
export interface RuleRow {
  readonly name: string;
  readonly schema: Schema;
  readonly self: unknown;
  readonly oldSelf: unknown;
  readonly isRoot: boolean;
  readonly valid: readonly string[];
  /** A part of the message, by rule. */
  readonly errors: Readonly<Record<string, string>>;
  readonly costs: Readonly<Record<string, number>>;
}

/** A row of the tables of single expressions. */
export interface ExpressionRow {
  readonly test: string;
  readonly expr: string;
  readonly value: unknown;
  readonly error: string;
  readonly cost: number | undefined;
}

interface Row {
  readonly test: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tables hold data of many shapes
  readonly case: any;
}

function rows(file: string): Row[] {
  const text = readFileSync(shared('suites/tables', file), 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line, revive));
}

/** Returns the value of a constant. The tables write numbers that JSON does not have as objects. */
function revive(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$int64' in value)
    return Number.isSafeInteger(Number(value.$int64)) ? Number(value.$int64) : BigInt(String(value.$int64));
  return '$float' in value ? Number(value.$float) : value;
}

export const ruleRows = (test: string): RuleRow[] =>
  rows('apiextensions-apiserver_pkg_apiserver_schema_cel.jsonl')
    .filter((row) => row.test === test && row.case.schema !== undefined)
    .map(({ case: one }) => ({
      name: one.name,
      schema: one.schema,
      self: one.obj,
      oldSelf: one.oldObj ?? one.obj,
      isRoot: one.isRoot !== false,
      valid: one.valid ?? [],
      errors: one.errors ?? {},
      costs: one.expectCost ?? {},
    }));

export const expressionRows = (): ExpressionRow[] =>
  rows('apiserver_pkg_cel_library.jsonl')
    .filter((row) => typeof row.case?.expr === 'string')
    .map(({ test, case: one }) => {
      return {
        test,
        expr: one.expr,
        value: 'expectResult' in one ? one.expectResult : one.expectValue,
        error: one.expectRuntimeErr || one.expectedRuntimeErr || '',
        cost: one.expectRuntimeCost,
      };
    });
