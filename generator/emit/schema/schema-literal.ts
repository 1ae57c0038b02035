/** Prints schemas as object literals that mention repeated parts and shared types by name. */
import type { Schema } from '../../../runtime/contract/index.js';
import { type Literal, record, toLiteral } from '../source/literal.js';
import { isInherited } from '../source/naming.js';
import type { SchemaPool } from './schema-pool.js';

/** A reference to a shared type: the constant that holds the type, and what the reference says differently. */
export interface SchemaReference {
  readonly constant: string;
  readonly overrides: readonly (readonly [key: string, value: unknown])[];
}

/** Tells what a schema refers to; `undefined` for a schema that is printed where it stands. */
export type Resolve = (schema: Schema) => SchemaReference | undefined;

const spread = (constant: string, entries: readonly (readonly [string, Literal])[]): Literal =>
  entries.length === 0 ? { code: constant } : { spread: constant, entries };

/** Beside a name that every object inherits TypeScript does not expect a schema, unless it is told. */
const typed = (name: string, literal: Literal): Literal =>
  isInherited(name) && typeof literal === 'object' && literal !== null && 'entries' in literal
    ? { ...literal, satisfies: 'Schema' }
    : literal;

/** Makes the literals of schemas whose repeated parts have their constants. */
export const createSchemaPrinter = (pool: SchemaPool, resolve: Resolve) => {
  /** The schema by the name it has, or as it is. */
  const mention = (schema: Schema): Literal => {
    const reference = resolve(schema);
    if (reference !== undefined) {
      return spread(
        reference.constant,
        reference.overrides.map(([key, value]) => [key, toLiteral(value)] as const),
      );
    }
    const { constant } = pool.partOf(schema);
    if (constant === undefined) return define(schema);
    return spread(constant, schema.description === undefined ? [] : [['description', schema.description]]);
  };

  const member = (key: string, value: unknown, schema: Schema): Literal => {
    const { properties, items, additionalProperties } = schema;
    if (key === 'properties' && properties !== undefined) {
      return { entries: Object.entries(properties).map(([name, property]) => [name, typed(name, mention(property))]) };
    }
    if (key === 'items' && items !== undefined) return mention(items);
    if (key === 'additionalProperties' && typeof additionalProperties === 'object')
      return mention(additionalProperties);
    return toLiteral(value);
  };

  /** The schema as it is, what lies below it by name. */
  const define = (schema: Schema): Literal =>
    record(Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, member(key, value, schema)])));

  return { mention, define };
};
