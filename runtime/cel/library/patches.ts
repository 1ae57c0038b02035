/** Values that change objects: `Object`, a part to merge into an object, and `JSONPatch`, an operation. */
import { dyn, list, object, string, type Type } from '../check/types.js';
import type { EnvironmentOptions, Library, ObjectType } from '../environment.js';
import { equal } from '../values/equality.js';
import { fail } from '../values/error.js';
import { EntryMap, entryOf } from '../values/maps.js';
import { type CelValue, isInt, isList, itemsOf, StructValue } from '../values/value.js';
import { declare, overload } from './declare.js';

const objectName = 'Object';
const operationName = 'JSONPatch';

/** The type that an expression for an apply configuration must have. */
export const configurationType: Type = object(objectName);

/** The type that an expression for a JSON patch must have. */
export const jsonPatchType: Type = list(object(operationName));

const patchLibrary: Library = {
  name: 'patches',
  functions: [declare('jsonpatch.escapeKey', overload('jsonpatch_escape_key_string', [string], string, escapeKey))],
};

/** Returns the options of an environment in which expressions make patches. */
export const patchOptions = (
  libraries: readonly Library[],
): Partial<EnvironmentOptions> & { libraries: Library[] } => ({
  libraries: [...libraries, patchLibrary],
  namedTypes: typeNamed,
  construct: (type, fields) =>
    type === operationName ? new OperationValue(fieldsOf(fields)) : new PartValue(type, fields),
});

/** Returns the type of a name. An object may have any field, because the merge checks the schema. */
function typeNamed(name: string): ObjectType | undefined {
  if (name === operationName) return operationType;
  return name === objectName || name.startsWith(`${objectName}.`) ? { name, fields: {}, others: dyn } : undefined;
}

const operationType: ObjectType = {
  name: operationName,
  fields: { op: string, path: string, from: string, value: dyn },
  // The reference prints no type for a field that does not exist.
  others: object(''),
};

/** Escapes a key for the path of an operation. */
function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** An object with the fields that an expression gives it. */
abstract class MadeValue extends StructValue {
  constructor(
    readonly typeName: string,
    protected readonly fields: ReadonlyMap<string, CelValue>,
  ) {
    super();
  }

  get size(): number {
    return this.fields.size;
  }

  get(field: string): CelValue | undefined {
    return this.fields.get(field);
  }

  has(field: string): boolean {
    return this.fields.has(field);
  }

  members(): Iterable<readonly [string, CelValue]> {
    return this.fields;
  }

  equals(other: CelValue): boolean {
    if (!(other instanceof MadeValue) || other.typeName !== this.typeName || other.size !== this.size) return false;
    return [...this.fields].every(([name, value]) => {
      const found = other.get(name);
      return found !== undefined && equal(value, found);
    });
  }
}

/** A part of an object, as in `Object.spec{replicas: 1}`. */
class PartValue extends MadeValue {}

/** An operation of a JSON patch. */
class OperationValue extends MadeValue {
  constructor(fields: ReadonlyMap<string, CelValue>) {
    super(operationName, fields);
  }

  override get(field: string): CelValue | undefined {
    return super.get(field) ?? (field === 'value' ? undefined : '');
  }
}

function fieldsOf(fields: ReadonlyMap<string, CelValue>): ReadonlyMap<string, CelValue> {
  for (const [name, value] of fields) {
    if (name === 'value' || typeof value === 'string') continue;
    fail(`unexpected type ${goTypeOf(value)} for JSONPatchType '${name}' field`);
  }
  return fields;
}

/** Returns the reference's name for the type of a value. */
function goTypeOf(value: CelValue): string {
  if (typeof value === 'boolean') return 'bool';
  if (isInt(value)) return 'int64';
  if (value === null) return 'structpb.NullValue';
  return isList(value) ? '[]ref.Val' : 'map[ref.Val]ref.Val';
}

/**
 * Returns a sentence for each part with a type name that differs from the path to it. Items of lists and entries of
 * maps have the path of the list or map.
 */
export function misplacedParts(value: CelValue): readonly string[] {
  return value instanceof PartValue ? misplacedAt(value, value.typeName, 0) : [];
}

/** The levels of values to search. Parts made by expressions are never as deep. */
const mostLevels = 1000;

function misplacedAt(value: CelValue, path: string, level: number): readonly string[] {
  if (level > mostLevels) return [];
  if (value instanceof PartValue) {
    const { typeName } = value;
    const place = 'which matches field name path from root Object type';
    const own = typeName === path ? [] : [`unexpected type name "${typeName}", expected "${path}", ${place}`];
    return [
      ...own,
      ...[...value.members()].flatMap(([name, field]) => misplacedAt(field, `${path}.${name}`, level + 1)),
    ];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (isList(value)) return itemsOf(value).flatMap((item) => misplacedAt(item, path, level + 1));
  if (!(value instanceof EntryMap)) return [];
  return value.keys().flatMap((key) => misplacedAt(entryOf(value, key) ?? null, path, level + 1));
}
