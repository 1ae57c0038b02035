/** Finds fields of typed kinds that were changed although they cannot be. */
import type { ErrorSink, Immutability, JsonObject, JsonValue } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { stringList, type Verbatim } from '../../objects/field-error.js';
import { getOwn, isObject, isStringArray } from '../../objects/guards.js';
import { Path } from './path.js';
import type { Field, Fields, Node, Table } from './table.js';
import { ownTypeName, packageName } from './type-names.js';
import { worded } from './wording.js';

type Value = JsonValue | undefined;

/**
 * Reports immutable fields that are not what they were. It follows fields of objects; what is in lists and maps has
 * no fixed counterpart, and is compared as part of a field that holds it.
 */
export function findChanges({ root }: Table, object: JsonObject, old: JsonObject, errors: ErrorSink): void {
  inFields(root.fields, object, old, new Path(), errors);
}

function inFields({ list }: Fields, value: Value, old: Value, path: Path, errors: ErrorSink): void {
  for (const field of list) {
    if (!field.node.hasFixed) continue;
    const [now, before] = [fieldIn(value, field.name), fieldIn(old, field.name)];
    path.enter(field.shownStep);
    compare(field, now, before, path, errors);
    inFields(field.node.fields, now, before, path, errors);
    path.leave();
  }
}

function compare({ node }: Field, now: Value, before: Value, path: Path, errors: ErrorSink): void {
  const rule = node.schema['x-kindforge-immutable'];
  if (rule === undefined || rule === false || equal(now, before)) return;
  const { field, message = 'field is immutable' }: Immutability = rule === true ? {} : rule;
  errors.push(worded(field ?? path.toString(), printed(node, now), message));
}

/** Lists of texts are printed with the name of their type. */
function printed({ schema: { type }, items }: Node, value: Value): Value | Verbatim {
  if (type !== 'array' || items?.schema.type !== 'string') return value;
  const name = ownTypeName(items.schema);
  const listType = name === undefined ? '[]string' : `[]${packageName(items.schema)}.${name}`;
  return isStringArray(value) ? stringList(value, listType) : value;
}

/** A field of a value that may be no object. */
function fieldIn(value: Value, name: string): Value {
  return isObject(value) ? getOwn(value, name) : undefined;
}
