/** Prints objects as JSON, as YAML, by their names, or by a template. */
import { DUMP_SCHEMA, dump, intYaml11Tag } from 'js-yaml';
import { type DiscoveredResource, stringifyJson } from '../../../client/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import type { Printing } from '../printing.js';
import { fullName } from '../resources.js';
import { fieldsOf, identityOf } from '../values.js';
import type { OutputFormat } from './output-format.js';

/** Prints several objects as a List, a single one as itself. */
export function printObjects(
  objects: readonly unknown[],
  format: OutputFormat & { readonly kind: 'json' | 'yaml' | 'name' | 'template' },
  single: boolean,
  resources: readonly DiscoveredResource[],
  { out, text }: Printing,
): void {
  if (format.kind === 'name') {
    for (const object of objects) out(`${nameOfKind(object, resources)}/${identityOf(object).name}`);
    return;
  }
  const list = { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items: objects };
  const whole = single ? objects[0] : list;
  if (format.kind === 'template') text(isObject(whole) ? format.fill(whole) : '');
  else out(format.kind === 'json' ? toJson(whole) : toYaml(whole).trimEnd());
}

/** Indented, integers past 2^53 as they are. */
export function toJson(value: unknown): string {
  const text = stringifyJson(value);
  return hasBigInt(value) ? text : JSON.stringify(JSON.parse(text), undefined, 2);
}

/** The schema of js-yaml, which has no `bigint`. */
const schema = DUMP_SCHEMA.withTags({
  ...intYaml11Tag,
  identify: (value) => typeof value === 'bigint' || intYaml11Tag.identify(value),
  represent: (value) => (typeof value === 'bigint' ? String(value) : intYaml11Tag.represent(value)),
});

export const toYaml = (value: unknown): string => dump(value, { schema, lineWidth: -1, noRefs: true });

function hasBigInt(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasBigInt);
}

function nameOfKind(object: unknown, resources: readonly DiscoveredResource[]): string {
  const { kind } = fieldsOf(object);
  const found = resources.find((resource) => resource.kind === kind) ?? resources[0];
  return found ? fullName(found) : String(kind);
}
