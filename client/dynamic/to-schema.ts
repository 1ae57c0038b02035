/** Converts the schemas of OpenAPI v3 documents into schemas of the engine. */
import type { Schema, SchemaType } from '../../runtime/contract/index.js';
import { isKnownFormat, type LaterFormats } from '../../runtime/schema/index.js';
import type { OpenApiSchema } from './open-api-schema.js';
import type { KindSchema, Schemas } from './schema-documents.js';

/** The formats that servers of all releases check. A document does not say which release it is from. */
export const commonFormats: LaterFormats = { names: false, numbers: false };

/**
 * Returns the schema of a kind, with its references resolved. Formats that this program does not know are marked with
 * `x-kindforge-unknown`. A value without a description may be anything, because documents do not distinguish empty
 * values from open ones.
 */
export const toSchema = ({ schema, schemas }: KindSchema): Schema => new Conversion(schemas).schema(schema);

class Conversion {
  /** Converted types, without types that refer to a type around them. */
  readonly #known = new Map<string, Schema>();
  /** The types around the current place, outermost first. */
  readonly #around: string[] = [];
  /** How many of these types are outside the current combination. The engine cannot refer to them from there. */
  #aroundBranch = 0;
  /** The surrounding types that the current type refers to. */
  #again = new Set<string>();

  constructor(private readonly schemas: Schemas) {}

  schema(written: OpenApiSchema): Schema {
    const { $ref, allOf = [] } = written;
    // OpenAPI 3.0 ignores what is beside a reference, so documents wrap the reference in an `allOf`.
    const isWrapper = written.type === undefined && allOf.some((one) => one.$ref !== undefined);
    const parts = [...($ref === undefined ? [] : [this.#type(typeName($ref))]), ...this.#all(isWrapper ? allOf : [])];
    const own = this.#own(written, isWrapper ? [] : allOf);
    return opened(parts.reduce(merge, own));
  }

  #type(name: string): Schema {
    const known = this.#known.get(name);
    const at = this.#around.indexOf(name);
    const written = Object.hasOwn(this.schemas, name) ? this.schemas[name] : undefined;
    if (at >= 0) this.#again.add(name);
    if (at >= this.#aroundBranch) return { 'x-kindforge-within': name };
    if (at >= 0 || written === undefined) return { 'x-kindforge-unknown': true };
    return known ?? this.#newType(name, written);
  }

  #newType(name: string, written: OpenApiSchema): Schema {
    const outer = this.#again;
    this.#again = new Set();
    this.#around.push(name);
    const schema = this.schema(written);
    // A type that only refers to itself says nothing.
    const made = schema['x-kindforge-within'] === name ? open : { ...schema, 'x-kindforge-type': name };
    this.#around.pop();
    this.#again.delete(name);
    if (this.#again.size === 0) this.#known.set(name, made);
    this.#again = new Set([...outer, ...this.#again]);
    return made;
  }

  #all(schemas: readonly OpenApiSchema[]): Schema[] {
    return schemas.map((one) => this.schema(one));
  }

  #branches(schemas: readonly OpenApiSchema[]): Schema[] {
    const outer = this.#aroundBranch;
    this.#aroundBranch = this.#around.length;
    const made = this.#all(schemas);
    this.#aroundBranch = outer;
    return made;
  }

  #own(written: OpenApiSchema, allOf: readonly OpenApiSchema[]): Schema {
    const { properties, additionalProperties: values, items, not } = written;
    const keywords: Schema = Object.fromEntries(Object.entries(written).filter(([key]) => sharedKeywords.has(key)));
    const pattern = written.pattern ?? written['x-re2-pattern'];
    return {
      ...keywords,
      ...typeOf(written),
      ...(pattern === undefined ? {} : { pattern }),
      ...this.#combinations({ ...written, allOf }),
      ...(not === undefined ? {} : { not: this.#branches([not])[0] ?? {} }),
      ...(properties === undefined ? {} : { properties: this.#properties(properties) }),
      ...(typeof values === 'object' ? { additionalProperties: this.schema(values) } : {}),
      ...(values === true ? open : {}),
      ...(items === undefined ? {} : { items: this.schema(items) }),
      ...requiredIn(written),
    };
  }

  #properties(properties: Readonly<Record<string, OpenApiSchema>>): Record<string, Schema> {
    return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, this.schema(property)]));
  }

  /** Returns the combinations of a schema. Documents leave out the one that the int-or-string marker implies. */
  #combinations(written: OpenApiSchema): Pick<Schema, 'allOf' | 'anyOf' | 'oneOf'> {
    const isEither = isIntOrString(written);
    const said = ({ anyOf = [], oneOf = [] }: OpenApiSchema): boolean => [anyOf, oneOf].some(isIntegerOrString);
    const of = (key: 'anyOf' | 'oneOf'): readonly OpenApiSchema[] => {
      const schemas = written[key] ?? [];
      return isEither && isIntegerOrString(schemas) ? [] : schemas;
    };
    const all = (written.allOf ?? []).filter((one) => !(isEither && said(one)));
    const entries = [['allOf', all] as const, ['anyOf', of('anyOf')] as const, ['oneOf', of('oneOf')] as const];
    return Object.fromEntries(
      entries.filter(([, schemas]) => schemas.length > 0).map(([key, schemas]) => [key, this.#branches(schemas)]),
    );
  }
}

const sharedKeywords: ReadonlySet<string> = new Set([
  ...['nullable', 'enum', 'default', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
  ...['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'],
]);

const open: Schema = { 'x-kubernetes-preserve-unknown-fields': true };
const unknown: Schema = { 'x-kindforge-unknown': true };

const typeName = (reference: string): string => reference.split('/').at(-1) ?? '';

const types: readonly SchemaType[] = ['object', 'array', 'string', 'integer', 'number', 'boolean'];

function typeOf(written: OpenApiSchema): Schema {
  if (isIntOrString(written)) return { 'x-kubernetes-int-or-string': true };
  const { type, format } = written;
  const known = types.find((one) => one === type);
  return {
    ...(known === undefined ? {} : { type: known }),
    ...(format === undefined ? {} : isJudged(format, type) ? { format } : unknown),
    ...(type === undefined || known !== undefined ? {} : unknown),
  };
}

/**
 * Returns whether a format can be checked. `byte` cannot: built-in kinds accept values that definitions refuse, and a
 * document does not say which of these two it describes.
 */
function isJudged(format: string, type: string | undefined): boolean {
  if (type === 'integer') return format === 'int32' || format === 'int64';
  if (type === 'number') return format === 'float' || format === 'double';
  return format !== 'byte' && isKnownFormat(format, commonFormats);
}

const isIntOrString = ({ format, 'x-kubernetes-int-or-string': marked }: OpenApiSchema): boolean =>
  marked === true || format === 'int-or-string';

const isIntegerOrString = (schemas: readonly OpenApiSchema[]): boolean =>
  schemas.length === 2 && schemas[0]?.type === 'integer' && schemas[1]?.type === 'string';

/** Returns the required fields. Whether embedded objects have a kind is checked elsewhere. */
function requiredIn({ required, 'x-kubernetes-embedded-resource': embedded }: OpenApiSchema): Schema {
  if (required === undefined) return {};
  return { required: embedded ? required.filter((name) => name !== 'apiVersion' && name !== 'kind') : required };
}

/** Accepts any value for a schema without a description. */
function opened(schema: Schema): Schema {
  const { type, properties, additionalProperties, items, 'x-kindforge-within': within } = schema;
  const isDescribed = [properties, additionalProperties, items, within].some((part) => part !== undefined);
  const isContainer = type === undefined || type === 'object' || type === 'array';
  return isContainer && !isDescribed ? { ...schema, ...open } : schema;
}

/**
 * Returns a schema for values that fit both schemas. Keywords of only one schema stay in place, and the rest becomes an
 * `allOf`.
 */
function merge(one: Schema, other: Schema): Schema {
  const { properties, required, allOf = [], ...rest } = other;
  const first = new Map(Object.entries(one));
  const clashing = Object.entries(rest).filter(([key, value]) => first.has(key) && first.get(key) !== value);
  const all = [...(one.allOf ?? []), ...allOf, ...clashing.map(([key, value]): Schema => ({ [key]: value }))];
  return {
    ...rest,
    ...one,
    ...(properties === undefined ? {} : { properties: mergeProperties(one.properties, properties) }),
    ...(required === undefined ? {} : { required: [...(one.required ?? []), ...required] }),
    ...(all.length === 0 ? {} : { allOf: all }),
  };
}

type Properties = NonNullable<Schema['properties']>;

/** Merges properties. Properties of one type stay the same JavaScript object, so that the engine compiles it once. */
function mergeProperties(one: Properties | undefined, other: Properties): Properties {
  if (one === undefined) return other;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    names.map((name) => {
      const [left, right] = [own(one, name), own(other, name)];
      return [name, left && right ? merge(left, right) : (left ?? right ?? {})];
    }),
  );
}

const own = (properties: Properties, name: string): Schema | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;
