/** Rules on the values of single keywords: patterns, enums, bounds, required names. */
import { RE2JS } from 're2js';
import type { JsonValue, Schema } from '../../../runtime/contract/index.js';
import { didYouMean } from '../../../runtime/objects/suggest.js';
import type { Report } from '../../diagnostics/problem.js';
import { list } from '../../model/read.js';
import { complain, type SchemaNode, writes, written } from './schema-node.js';

/** What is wrong with each pattern that was met. The same few patterns are written thousands of times. */
const patterns = new Map<string, string | undefined>();

/** A pattern is a regular expression of RE2, which cannot take long on any input. */
export function checkPattern(node: SchemaNode, report: Report): void {
  const { pattern } = node.schema;
  if (pattern === undefined || !writes(node, 'pattern')) return;
  if (!patterns.has(pattern)) patterns.set(pattern, problemOf(pattern));
  const problem = patterns.get(pattern);
  if (problem === undefined) return;
  const isForeign = /\(\?[=!<]/.test(pattern);
  complain(
    report,
    'KF4002',
    node,
    'pattern',
    `not a regular expression of RE2: ${problem}`,
    isForeign ? 'RE2 has no look-ahead or look-behind' : undefined,
  );
}

function problemOf(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Values of an enum differ and have the node's type. */
export function checkEnum(node: SchemaNode, report: Report): void {
  if (!writes(node, 'enum')) return;
  const seen = new Set<string>();
  list(written(node, 'enum')).forEach((value, index) => {
    const text = print(value);
    if (seen.has(text)) complain(report, 'KF4003', node, ['enum', index], `${text} is listed twice`);
    seen.add(text);
    if (hasType(value, node.schema)) return;
    const message = `the value is not of type ${node.schema.type ?? ''}`;
    complain(
      report,
      'KF4004',
      node,
      ['enum', index],
      message,
      node.schema.type === 'string' ? `write it in quotes: "${String(value)}"` : undefined,
    );
  });
}

function print(value: JsonValue): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each));
}

function hasType(value: JsonValue, { type, nullable }: Schema): boolean {
  if (value === null) return nullable === true;
  switch (type) {
    case undefined:
      return true;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value);
    case 'number':
      return typeof value === 'bigint' || typeof value === 'number';
    default:
      return typeof value === type;
  }
}

const BOUNDS = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
  ['minimum', 'maximum'],
] as const;

/** A lower bound is not above the upper one. */
export function checkBounds(node: SchemaNode, report: Report): void {
  for (const [low, high] of BOUNDS) {
    const least = node.schema[low];
    const most = node.schema[high];
    if (least === undefined || most === undefined || least <= most) continue;
    if (!writes(node, low) && !writes(node, high)) continue;
    complain(
      report,
      'KF4005',
      node,
      writes(node, low) ? low : high,
      `\`${low}\` ${least} is greater than \`${high}\` ${most}`,
    );
  }
}

/** What is required exists. */
export function checkRequired(node: SchemaNode, report: Report): void {
  const { properties, required, additionalProperties } = node.schema;
  if (required === undefined || additionalProperties !== undefined || !writes(node, 'required')) return;
  const { type } = node.schema;
  if (node.schema['x-kubernetes-preserve-unknown-fields'] === true || (type !== 'object' && type !== undefined)) return;
  required.forEach((name, index) => {
    if (Object.hasOwn(properties ?? {}, name) || (node.level === 'root' && IMPLIED.has(name))) return;
    const message = `\`${name}\` is required but is no property here`;
    complain(report, 'KF4006', node, ['required', index], message, () =>
      didYouMean(name, Object.keys(properties ?? {})),
    );
  });
}

/** Properties that every object has. */
const IMPLIED = new Set(['apiVersion', 'kind', 'metadata']);

const APPLIES: readonly (readonly [Schema['type'], readonly (keyof Schema)[]])[] = [
  ['string', ['minLength', 'maxLength', 'pattern']],
  ['array', ['items', 'minItems', 'maxItems', 'uniqueItems']],
  ['object', ['properties', 'additionalProperties', 'required', 'minProperties', 'maxProperties']],
];
const NUMERIC = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;

/** Keywords stand on nodes of the type they speak of. */
export function checkApplicable(node: SchemaNode, report: Report): void {
  const { type } = node.schema;
  if (type === undefined) return;
  const misplaced = APPLIES.flatMap(([only, keys]) => (only === type ? [] : keys));
  const numeric = type === 'integer' || type === 'number' ? [] : NUMERIC;
  for (const key of [...misplaced, ...numeric]) {
    if (writes(node, key))
      complain(report, 'KF4024', node, key, `\`${key}\` says nothing about a value of type ${type}`);
  }
}
