/** Removes what a schema does not know. */
import type { JsonValue, Schema } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { typeAgain } from './again.js';
import { below, propertySchema } from './walk.js';

const head = new Set(['apiVersion', 'kind', 'metadata']);

export function prune(schema: Schema | undefined, value: JsonValue | undefined, path: string, unknown: string[]): void {
  const again = typeAgain(schema);
  if (again !== undefined) {
    if (schema?.['x-kindforge-or'] === undefined) prune(again, value, path, unknown);
    else for (const one of Array.isArray(value) ? value : [value]) prune(again, isObject(one) ? one : null, '', []);
    return;
  }
  if (schema?.['x-kubernetes-preserve-unknown-fields']) {
    pruneKnown(schema, value, path, unknown);
    return;
  }
  if (Array.isArray(value))
    for (const [i, item] of value.entries()) prune(schema?.items, item, `${path}[${i}]`, unknown);
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    if (schema?.['x-kubernetes-embedded-resource'] && head.has(name)) continue;
    const known = Object.hasOwn(schema?.properties ?? {}, name) || Boolean(schema?.additionalProperties);
    if (known && schema !== undefined) prune(propertySchema(schema, name), value[name], below(path, name), unknown);
    else {
      delete value[name];
      unknown.push(below(path, name));
    }
  }
}

/** Below a part that keeps unknown fields, only what the schema describes is pruned. */
function pruneKnown(schema: Schema | undefined, value: JsonValue | undefined, path: string, unknown: string[]): void {
  if (schema === undefined) return;
  if (Array.isArray(value))
    for (const [i, item] of value.entries()) pruneKnown(schema.items, item, `${path}[${i}]`, unknown);
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    if (schema['x-kubernetes-embedded-resource'] && head.has(name)) continue;
    const described = Object.hasOwn(schema.properties ?? {}, name) || Boolean(schema.additionalProperties);
    if (described) prune(propertySchema(schema, name), value[name], below(path, name), unknown);
  }
}
