/** Types that hold themselves, for parts of schemas that only name them. */
import type { Schema } from '../../../runtime/contract/index.js';

const known = new Map<string, Schema>();
const seen = new WeakSet<Schema>();

/** Notes the shared types of a schema. */
export function noteTypes(schema: Schema): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  const name = schema['x-kindforge-type'];
  if (name !== undefined && schema['x-kindforge-within'] === undefined) known.set(name, schema);
  const { properties = {}, additionalProperties, items } = schema;
  for (const child of [...Object.values(properties), additionalProperties, items]) {
    if (typeof child === 'object') noteTypes(child);
  }
}

/** The type that a part is again, where it is one. */
export function typeAgain(schema: Schema | undefined): Schema | undefined {
  return known.get(schema?.['x-kindforge-within'] ?? '');
}
