/** The rules for every schema node, in no particular order. The rules of structural schemas are not among them. */
import { encodeJson } from '../../../runtime/codec/json.js';
import type { JsonValue, Schema } from '../../../runtime/contract/index.js';
import { isDeeper } from '../../../runtime/objects/from-below.js';
import { didYouMean } from '../../../runtime/objects/suggest.js';
import { identity, isInt64, isNumber } from '../../../runtime/schema/engine/value.js';
import { get, list } from '../../../runtime/schema/read.js';
import { intOrString } from '../../../runtime/schema/structural/index.js';
import { checkMarkers } from './markers.js';
import { type NodeRule, type Say, type SchemaNode, writes, written } from './schema-node.js';

/** Rules on values. They also apply below `allOf` and similar keywords. */
export const valueRules: readonly NodeRule[] = [
  checkEnum,
  checkCounts,
  checkBounds,
  checkValueDepth,
  checkCombinedDepth,
];

export const schemaRules: readonly NodeRule[] = [
  ...valueRules,
  checkShape,
  checkRequired,
  checkApplicable,
  checkMarkers,
];

/** Refuses a default at the root, and a `type` beside int-or-string. */
function checkShape({ schema, level, isNative }: SchemaNode, say: Say): void {
  if (level === 'root' && schema.default !== undefined) {
    say('KF3006', 'default', 'the root of a schema cannot have a default');
  }
  if (isNative && schema[intOrString] === true && schema.type !== undefined) {
    say('KF3012', 'type', `\`type\` must be left out beside \`${intOrString}\``);
  }
}

/** Checks that the values of an enum differ and have the node's type. */
function checkEnum(node: SchemaNode, say: Say): void {
  if (!writes(node, 'enum')) return;
  const seen = new Set<string>();
  list(written(node, 'enum')).forEach((value, index) => {
    const same = identity(value);
    if (seen.has(same)) say('KF4003', ['enum', index], `${encodeJson(value)} is listed twice`);
    seen.add(same);
    if (hasType(value, node.schema)) return;
    if (value === null) {
      say('KF4004', ['enum', index], 'the field cannot be null', 'write `nullable: true`');
      return;
    }
    const message = `the value is not of type ${node.schema.type ?? ''}`;
    say(
      'KF4004',
      ['enum', index],
      message,
      node.schema.type === 'string' ? `write it in quotes: "${String(value)}"` : undefined,
    );
  });
}

function hasType(value: JsonValue, { type, nullable }: Schema): boolean {
  if (value === null) return nullable === true || type === undefined;
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

const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const;

/** Checks that a count is an integer of 64 bits: servers cannot read other numbers. */
function checkCounts(node: SchemaNode, say: Say): void {
  for (const key of COUNTS) {
    const value = written(node, key);
    if (isNumber(value) && !isInt64(value)) say('KF2005', key, `\`${key}\` must be a whole number of 64 bits`);
  }
}

/** Checks that a lower bound is not above the upper one. */
function checkBounds(node: SchemaNode, say: Say): void {
  for (const [low, high] of BOUNDS) {
    const least = node.schema[low];
    const most = node.schema[high];
    if (least === undefined || most === undefined || least <= most) continue;
    if (!writes(node, low) && !writes(node, high)) continue;
    say('KF4005', writes(node, low) ? low : high, `\`${low}\` ${least} is greater than \`${high}\` ${most}`);
  }
}

/** Checks that every required property exists. */
function checkRequired(node: SchemaNode, say: Say): void {
  const { properties, required, additionalProperties } = node.schema;
  if (required === undefined || additionalProperties !== undefined || !writes(node, 'required')) return;
  const { type } = node.schema;
  if (node.schema['x-kubernetes-preserve-unknown-fields'] === true || (type !== 'object' && type !== undefined)) return;
  required.forEach((name, index) => {
    if (Object.hasOwn(properties ?? {}, name) || (node.level === 'root' && IMPLIED.has(name))) return;
    const message = `\`${name}\` is required but is not a property here`;
    say('KF4006', ['required', index], message, () => didYouMean(name, Object.keys(properties ?? {})));
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

/** Checks that keywords are on nodes of their type. */
function checkApplicable(node: SchemaNode, say: Say): void {
  const { type } = node.schema;
  if (type === undefined) return;
  const misplaced = APPLIES.flatMap(([only, keys]) => (only === type ? [] : keys));
  const numeric = type === 'integer' || type === 'number' ? [] : NUMERIC;
  for (const key of [...misplaced, ...numeric]) {
    if (writes(node, key)) say('KF4024', key, `\`${key}\` has no effect on a value of type ${type}`);
  }
}

// Limits on how deep values and combinations nest, because TypeScript cannot check very deep literals.

/** Maximum number of levels of a default, an example or a value of an enum. */
const MAX_VALUE_LEVELS = 40;

/** Maximum number of nested nodes below `allOf`, `anyOf`, `oneOf` or `not`. */
const MAX_COMBINED_NODES = 30;

/** Checks the depth of values that become literals in the code. */
function checkValueDepth({ raw }: SchemaNode, say: Say): void {
  for (const key of ['default', 'example', 'enum']) {
    const value = get(raw, key) ?? null;
    if (isDeeper(value, key === 'enum' ? MAX_VALUE_LEVELS + 1 : MAX_VALUE_LEVELS)) {
      say('KF3022', key, `\`${key}\` is nested more than ${MAX_VALUE_LEVELS} levels deep`);
    }
  }
}

/** Checks the depth of combinations. Reported at the first node that is too deep. */
function checkCombinedDepth(node: SchemaNode, say: Say): void {
  if (node.level !== 'rule' || combinedNodes(node) !== MAX_COMBINED_NODES + 1) return;
  say('KF3022', '', `more than ${MAX_COMBINED_NODES} schemas are nested below \`allOf\` and similar keywords`);
}

function combinedNodes(node: SchemaNode): number {
  let count = 0;
  for (let at: SchemaNode | undefined = node; at?.level === 'rule'; at = at.parent) count++;
  return count;
}
