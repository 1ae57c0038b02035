/** Visits certain parts of a value at all places in a schema: embedded objects, and lists with keys. */
import type { ErrorSink, Immutability, JsonObject, JsonValue, Schema } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { stringList, type Verbatim } from '../../objects/field-error.js';
import { getOwn, isStringArray } from '../../objects/guards.js';
import { get } from '../read.js';
import { Findings, Path } from './findings.js';
import { ownTypeName, packageName, worded } from './mistake.js';
import { compileTable, type Field, type Fields, type Node, type Table } from './table.js';
import { Validator } from './validate.js';

export interface Walk<Result> {
  /** Returns whether to visit the node or a node below it. */
  readonly reaches: (node: Node) => boolean;
  /** Called for each value with a node that `reaches` accepts. A result ends the walk. */
  readonly visit: (node: Node, value: JsonValue, path: Path) => Result | undefined;
  /** Returns the step for the key of a map. */
  readonly keyStep: (key: string) => string;
}

/** Visits the parts of an object, but not the object itself, in the order of the schema. Returns the first result. */
export function walkParts<Result>(root: Node, object: JsonObject, walk: Walk<Result>): Result | undefined {
  return walk.reaches(root) ? below(root, object, new Path(), walk) : undefined;
}

function at<Result>(node: Node, value: JsonValue | undefined, path: Path, walk: Walk<Result>): Result | undefined {
  if (value === undefined) return undefined;
  return walk.visit(node, value, path) ?? below(node, value, path, walk);
}

function below<Result>(node: Node, value: JsonValue, path: Path, walk: Walk<Result>): Result | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { fields, values, items } = node;
  const go = (child: Node, part: JsonValue | undefined, step: string | number): Result | undefined => {
    path.enter(step);
    const result = at(child, part, path, walk);
    path.leave();
    return result;
  };
  if (Array.isArray(value)) {
    if (items === undefined || !walk.reaches(items)) return undefined;
    for (const [i, item] of value.entries()) {
      const result = go(items, item, i);
      if (result !== undefined) return result;
    }
    return undefined;
  }
  for (const { node: child, name, step } of fields.list) {
    const result = walk.reaches(child) ? go(child, getOwn(value, name), step) : undefined;
    if (result !== undefined) return result;
  }
  for (const key of values !== undefined && walk.reaches(values) ? Object.keys(value) : []) {
    const result =
      values === undefined || fields.byName.has(key) ? undefined : go(values, value[key], walk.keyStep(key));
    if (result !== undefined) return result;
  }
  return undefined;
}

/** Writes a key as in errors about whole values. */
export const keyInBrackets = (key: string): string => `[${key}]`;

/** Writes a key as in reports of unknown fields. */
export const keyBehindDot = (key: string): string => `.${key}`;

const known = new WeakMap<Schema, Node>();

/**
 * Reports whether a structural schema accepts a value. An undecidable keyword, such as a pattern that does not compile,
 * accepts it. Compiles the schema once. Ignores unknown fields, list types and rules.
 */
export function takesValue(schema: Schema, value: JsonValue): boolean {
  const node = known.get(schema) ?? compileTable(schema, 'structural').root;
  known.set(schema, node);
  const found = new Findings();
  new Validator(new Path(), found, false).check(node, value);
  return found.empty;
}

type Value = JsonValue | undefined;

/**
 * Reports immutable fields that changed. It follows fields of objects. Parts of lists and maps have no fixed
 * counterpart, so they are compared as a part of the field around them.
 */
export function findChanges({ root }: Table, object: JsonObject, old: JsonObject, errors: ErrorSink): void {
  inFields(root.fields, object, old, new Path(), errors);
}

function inFields({ list }: Fields, value: Value, old: Value, path: Path, errors: ErrorSink): void {
  for (const field of list) {
    if (!field.node.hasFixed) continue;
    const [now, before] = [get(value, field.name), get(old, field.name)];
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

/** Returns a value for messages. Lists of texts include the name of their type. */
function printed({ schema: { type }, items }: Node, value: Value): Value | Verbatim {
  if (type !== 'array' || items?.schema.type !== 'string') return value;
  const name = ownTypeName(items.schema);
  const listType = name === undefined ? '[]string' : `[]${packageName(items.schema)}.${name}`;
  return isStringArray(value) ? stringList(value, listType) : value;
}
