/** A plain interpreter of the schemas of typed kinds, for comparison with what the compiler makes of them. */
import type { FieldError, JsonObject, JsonValue, Schema } from '../../../runtime/contract/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { equal } from '../../../runtime/objects/equality.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { ownTypeName, packageName } from '../../../runtime/schema/emit/type-names.js';
import { NodeTable } from '../../../runtime/schema/node.js';
import { asTypeMismatch, printedList } from '../../../runtime/schema/support.js';
import type { Outcome } from '../compiled.js';
import { noteTypes } from './again.js';
import { prune } from './prune.js';
import { checkFields, reported, worded } from './typed-checks.js';
import { readObject } from './typed-read.js';
import { own } from './walk.js';

/** Fields that belong to the runtime. */
const head = ['apiVersion', 'kind', 'metadata'];

/** Decodes and validates an object, which is changed in place. */
export function interpretTyped(schema: Schema, object: JsonObject, kind: string): Outcome {
  noteTypes(schema);
  const wrong = readObject(schema, object, kind, head);
  if (wrong !== undefined) return { unreadable: asTypeMismatch(wrong)?.message, unknown: [], object, errors: [] };
  const unknown: string[] = [];
  prune({ ...schema, 'x-kubernetes-embedded-resource': true }, object, '', unknown);
  const { apiVersion, kind: _, metadata, ...properties } = schema.properties ?? {};
  fillDefaults({ ...schema, properties }, object);
  const errors: FieldError[] = [];
  checkFields(schema, object, '', errors, head);
  return { unreadable: undefined, unknown, object, errors };
}

/** Immutable fields of `object` that are not what they were. Fields of lists and maps are no fields of the object. */
export function interpretUpdate(schema: Schema, object: JsonObject, old: JsonObject): FieldError[] {
  return changesIn(schema, object, old, '');
}

function changesIn(
  schema: Schema,
  value: JsonValue | undefined,
  old: JsonValue | undefined,
  path: string,
): FieldError[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const [now, before] = [own(value, name), own(old, name)];
    const at = reported(path, name, child);
    const rule = child['x-kindforge-immutable'];
    const { field = at, message = 'field is immutable' } = typeof rule === 'object' ? rule : {};
    const changed = rule !== undefined && rule !== false && !equal(now, before);
    return [...(changed ? [worded(field, printed(child, now), message)] : []), ...changesIn(child, now, before, at)];
  });
}

/** Lists of texts are printed with the name of their type. */
function printed({ type, items }: Schema, value: JsonValue | undefined): ReturnType<typeof printedList> {
  if (type !== 'array' || items?.type !== 'string') return value;
  const node = new NodeTable().node(items);
  const name = ownTypeName(node);
  return printedList(value, name === undefined ? '[]string' : `[]${packageName(node)}.${name}`);
}

/** Fills in defaults; nulls were seen to by reading. */
function fillDefaults(schema: Schema | undefined, value: JsonValue | undefined): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) for (const item of value) fillDefaults(schema.items, item);
  if (!isObject(value)) return;
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const fallback = child.default ?? null;
    if (fallback !== null && own(value, name) === undefined) value[name] = clone(fallback);
    fillDefaults(child, own(value, name));
  }
  const rest = schema.additionalProperties;
  if (typeof rest === 'object') for (const item of Object.values(value)) fillDefaults(rest, item);
}
