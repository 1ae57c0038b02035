/** Checks whether the schema of a value accepts it, with the functions of the server. */
import type { Schema } from '../../../runtime/contract/index.js';
import { Definition } from './definition.js';
import type { Accepts } from './values/value-maker.js';

/** Maximum number of compiled schemas to keep. Schemas of objects in many definitions repeat. */
const MAX_KNOWN = 2_000;

const known = new Map<string, Definition>();

/** Returns a check for the schemas of one definition. Equal schemas are compiled once in a process. */
export function acceptsValue(decoding: 'typed' | 'structural'): Accepts {
  const own = new Map<Schema, Definition>();
  return (schema, value) => {
    const definition = own.get(schema) ?? shared(schema, decoding);
    own.set(schema, definition);
    const answer = definition.create({ apiVersion: 'v1', kind: 'Value', metadata: { name: 'a' }, value });
    return answer.accepted && answer.pruned.length === 0;
  };
}

function shared(schema: Schema, decoding: 'typed' | 'structural'): Definition {
  const key = `${decoding} ${schemaText(schema)}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= MAX_KNOWN) known.clear();
  const wrapped = { type: 'object' as const, properties: { value: schema } };
  const made = new Definition({ schema: wrapped, decoding, kind: 'Value', apiVersion: 'v1', statusParts: [] });
  known.set(key, made);
  return made;
}

/**
 * Returns a schema without its texts as JSON. Does not change values in it, because a `description` in them is data.
 */
const schemaText = (schema: Schema): string =>
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'description' && typeof value === 'string') return undefined;
    return key === 'default' || key === 'enum' ? exact(value) : plain(value);
  });

const exact = (value: unknown): string => JSON.stringify(value, (_, each: unknown) => plain(each));

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);
