/** Prints objects as one text. */
import { printDefinition } from '../../generator/import/index.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isArray } from '../../runtime/objects/guards.js';
import { encodeJson } from '../../runtime/server/index.js';

/** YAML documents one after the other; as JSON several objects are a list. */
export function printObjects(objects: readonly JsonObject[], format: 'yaml' | 'json'): string {
  if (format === 'yaml') return objects.map(printDefinition).join('---\n');
  const [only] = objects;
  const items = objects.flatMap((object) =>
    isArray(object.items) && object.kind === 'List' ? object.items : [object],
  );
  const value = objects.length === 1 && only ? only : { apiVersion: 'v1', kind: 'List', items };
  return `${encodeJson(value, true)}\n`;
}
