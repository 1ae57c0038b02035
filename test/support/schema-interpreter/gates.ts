/** Drops the fields of gates that are off, as the compiled functions should. */
import type { JsonValue, Schema } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { forEachChild, inBrackets, own } from './walk.js';

/** All gates of a schema. */
export function gatesIn(schema: Schema): readonly string[] {
  const { properties = {}, items, additionalProperties } = schema;
  const rest = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  const below = [...Object.values(properties), ...(items ? [items] : []), ...rest];
  const gate = schema['x-kindforge-feature-gate'];
  return [...new Set([...(gate === undefined ? [] : [gate]), ...below.flatMap(gatesIn)])];
}

/** Drops, in place, what belongs to gates that are neither enabled nor used by the stored object. */
export function interpretGates(
  schema: Schema,
  object: JsonValue,
  old: JsonValue | undefined,
  enabled: (gate: string) => boolean,
): void {
  for (const gate of gatesIn(schema)) if (!enabled(gate) && !uses(schema, old, gate)) drop(schema, object, gate);
}

const gated = ({ properties = {} }: Schema, gate: string): string[] =>
  Object.keys(properties).filter((name) => properties[name]?.['x-kindforge-feature-gate'] === gate);

function uses(schema: Schema, value: JsonValue | undefined, gate: string): boolean {
  let found = gated(schema, gate).some((name) => own(value, name) !== undefined);
  forEachChild(schema, value, '', inBrackets, (child, below) => {
    found ||= uses(child, below, gate);
  });
  return found;
}

function drop(schema: Schema, value: JsonValue, gate: string): void {
  for (const name of gated(schema, gate)) if (isObject(value)) delete value[name];
  forEachChild(schema, value, '', inBrackets, (child, below) => drop(child, below, gate));
}
