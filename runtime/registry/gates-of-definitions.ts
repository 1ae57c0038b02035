/** Finds the feature gates that definitions name, for kinds and for fields. */
import type { ResourceModule, Schema } from '../contract/index.js';

/** All gates that these modules name. Linear in the size of their schemas, each shared part looked at once. */
export function gatesOf(modules: readonly ResourceModule[]): ReadonlySet<string> {
  const gates = new Set<string>();
  const seen = new Set<Schema>();
  for (const { featureGate, schema } of modules) {
    if (featureGate !== undefined) gates.add(featureGate);
    collect(schema, gates, seen);
  }
  return gates;
}

/** Gates stand on properties, so branches of combinations, which have none of their own, are passed over. */
function collect(schema: Schema, gates: Set<string>, seen: Set<Schema>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  const gate = schema['x-kindforge-feature-gate'];
  if (gate !== undefined) gates.add(gate);
  for (const child of Object.values(schema.properties ?? {})) collect(child, gates, seen);
  const { additionalProperties, items } = schema;
  if (typeof additionalProperties === 'object') collect(additionalProperties, gates, seen);
  if (items !== undefined) collect(items, gates, seen);
}
