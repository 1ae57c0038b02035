/** Reads the relations of a kind from its objects in their stored version. */
import { compileExpression, dataTypeOf, Environment, laterEnvironment, laterReading } from '../cel/index.js';
import { encodeJson } from '../codec/json.js';
import type { ApiObject, JsonValue, ObjectReference, Schema, Uniqueness } from '../contract/index.js';
import { getOwn, isArray, isObject } from '../objects/guards.js';
import { memoizeByObject } from '../objects/memoize.js';
import { parsePath, type Segment } from '../schema/index.js';
import type { ServedResource } from './served-resource.js';

/** The relations between the kinds of a server. */
export interface RelationTable {
  /** Finds the kind that a reference names, in its stored version. */
  target(reference: ObjectReference): ServedResource | undefined;
  /** Returns the references that name a kind. */
  incoming(stored: ServedResource): readonly IncomingReference[];
}

/** A reference to a kind. */
export interface IncomingReference {
  /** The kind that has the field, in its stored version. */
  readonly from: ServedResource;
  readonly reference: ObjectReference;
}

/** One name in an object. */
export interface FoundName {
  readonly reference: ObjectReference;
  /** The path of the name, as in `spec.members[2].user`. */
  readonly field: string;
  /** The same path as keys and list indexes. */
  readonly path: readonly (string | number)[];
  readonly name: string;
  /** The namespace beside the name, or else the object's own; empty if it has none. */
  readonly namespace: string;
}

/** The values of an object that no other object may have. */
export interface UniqueValues {
  readonly rule: Uniqueness;
  /** Equal for all objects that cannot exist together, and only for these. */
  readonly key: string;
  readonly values: readonly JsonValue[];
}

/** Reads the relations of objects. */
export interface ObjectRelations {
  namesIn(object: ApiObject): readonly FoundName[];
  valuesIn(object: ApiObject): readonly UniqueValues[];
}

/** Returns the relations of a kind by its stored version. If a rule has a condition, load the kind's code before. */
export const relationsOf = memoizeByObject((stored: ServedResource): ObjectRelations => {
  const { references = [], unique = [] } = stored.module;
  const names = references.map((reference) => nameReader(reference));
  const values = unique.map((rule) => valueReader(rule, rule.when === undefined ? undefined : stored.schema));
  return {
    namesIn: (object) => names.flatMap((read) => read(object)),
    valuesIn: (object) => values.flatMap((read) => read(object) ?? []),
  };
});

/** Returns a function that reads a name, or the names of a list. */
export function nameReader(reference: ObjectReference): (object: ApiObject) => readonly FoundName[] {
  const place = placeOf(reference.field);
  const beside = reference.namespaceField === undefined ? undefined : placeOf(reference.namespaceField);
  return (object) => {
    const own = object.metadata.namespace ?? '';
    return valuesAt(object, place).flatMap(({ value, path }) => {
      if (typeof value !== 'string' || value === '') return [];
      const indexes = path.filter((step) => typeof step === 'number');
      const namespace = beside && valueAt(object, beside, indexes);
      const field = path.reduce<string>((text, step) => joined(text, step), '');
      return [
        {
          reference,
          field,
          path,
          name: value,
          namespace: typeof namespace === 'string' && namespace ? namespace : own,
        },
      ];
    });
  };
}

function valueReader(rule: Uniqueness, schema: Schema | undefined): (object: ApiObject) => UniqueValues | undefined {
  const places = rule.fields.map(placeOf);
  const holdsFor = rule.when === undefined ? () => true : condition(rule.when, schema ?? {});
  const id = encodeJson([...rule.fields]);
  return (object) => {
    const values: JsonValue[] = [];
    for (const place of places) {
      const value = valueAt(object, place, []);
      if (value === undefined || value === null) return undefined;
      values.push(value);
    }
    if (!holdsFor(object)) return undefined;
    const where = rule.within === 'namespace' ? (object.metadata.namespace ?? '') : '';
    return { rule, key: `unique ${id} ${where} ${encodeJson(values)}`, values };
  };
}

/** Compiles a condition. An object for which the condition fails does not meet it. */
function condition(text: string, schema: Schema): (object: ApiObject) => boolean {
  const data = dataTypeOf(schema, 'self', { ...laterReading, isResource: true });
  if (!data) throw new Error(`the schema has no type for the condition ${text}`);
  const variables = { self: { type: data.type, data } };
  const compiled = compileExpression(text, new Environment({ ...laterEnvironment, variables }));
  if (!compiled.ok) throw new Error(`the condition ${text} cannot be compiled`);
  const { expression } = compiled;
  return (self) => {
    const result = expression.evaluate({ self });
    return result.ok && result.value === true;
  };
}

function placeOf(path: string): readonly Segment[] {
  const place = parsePath(path);
  if (!place) throw new Error(`${path} is not the path of a field`);
  return place;
}

const joined = (text: string, step: string | number): string =>
  typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`;

interface PlacedValue {
  readonly value: JsonValue;
  readonly path: readonly (string | number)[];
}

function valuesAt(root: JsonValue, place: readonly Segment[]): readonly PlacedValue[] {
  let at: readonly PlacedValue[] = [{ value: root, path: [] }];
  for (const segment of place) at = at.flatMap((each) => below(each, segment));
  return at;
}

function below({ value, path }: PlacedValue, segment: Segment): readonly PlacedValue[] {
  if (segment === 'each')
    return isArray(value) ? value.map((item, index) => ({ value: item, path: [...path, index] })) : [];
  const child = isObject(value) ? getOwn(value, segment.key) : undefined;
  return child === undefined ? [] : [{ value: child, path: [...path, segment.key] }];
}

/** Returns the value at a place. `indexes` select the items of the lists on the way. */
function valueAt(root: JsonValue, place: readonly Segment[], indexes: readonly number[]): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  let list = 0;
  for (const segment of place) {
    if (segment === 'each') at = isArray(at) ? at[indexes[list++] ?? 0] : undefined;
    else at = isObject(at) ? getOwn(at, segment.key) : undefined;
  }
  return at;
}
