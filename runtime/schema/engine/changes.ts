/** Finds fields of typed kinds that were changed although they cannot be. */
import type { ErrorSink, Immutability, JsonObject, JsonValue } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { field as fieldOf, printedList } from '../support/typed.js';
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
    const [now, before] = [fieldOf(value, field.name), fieldOf(old, field.name)];
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
function printed({ schema: { type }, items }: Node, value: Value): ReturnType<typeof printedList> {
  if (type !== 'array' || items?.schema.type !== 'string') return value;
  const name = ownTypeName(items.schema);
  return printedList(value, name === undefined ? '[]string' : `[]${packageName(items.schema)}.${name}`);
}
