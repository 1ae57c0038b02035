/** Finds where the schemas of one version differ: field by field, keyword by keyword. */
import type { JsonObject, JsonValue, Schema, ValidationRule } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { isObject } from '../../../runtime/objects/index.js';
import { formatPath } from '../../../runtime/schema/index.js';
import type { Difference } from '../difference.js';
import { plainKeyword, plainSchema, plainValue, words } from './plain-schema.js';

/** A difference of two schemas, without the names of the resource and version. */
export type SchemaDifference = Omit<Difference, 'resource' | 'version'>;

interface ComparedNode {
  readonly path: string;
  readonly node: readonly string[];
  /** Whether the value is a whole object, which has apiVersion, kind and metadata even without a schema. */
  readonly isWhole: boolean;
}

/** Keywords that have a comparison of their own. */
const walked: ReadonlySet<string> = new Set([
  'type',
  'x-kubernetes-int-or-string',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'x-kubernetes-validations',
]);

/** The default values of keywords. */
const usual: Readonly<Record<string, JsonValue>> = {
  nullable: false,
  uniqueItems: false,
  exclusiveMinimum: false,
  exclusiveMaximum: false,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
  'x-kubernetes-preserve-unknown-fields': false,
  'x-kubernetes-embedded-resource': false,
  'x-kubernetes-list-type': 'atomic',
  'x-kubernetes-map-type': 'granular',
  'x-kubernetes-list-map-keys': [],
  'x-kindforge-presence': 'explicit',
  'x-kindforge-immutable': false,
  'x-kindforge-non-empty': false,
  'x-kindforge-unchecked': false,
};

const ofWholeObjects: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Returns all differences of two schemas, in the order of the old one. Visits each node once, except shared nodes. */
export function compareSchemas(old: Schema, next: Schema): readonly SchemaDifference[] {
  const found: SchemaDifference[] = [];
  compareNodes(old, next, { path: '', node: [], isWhole: true }, found);
  return found;
}

function compareNodes(old: Schema, next: Schema, place: ComparedNode, found: SchemaDifference[]): void {
  if (old === next) return;
  const types = [typeOf(old), typeOf(next)] as const;
  if (types[0] !== types[1]) {
    found.push({ ...at(place, 'type'), old: types[0], new: types[1] });
    // Other differences follow from this one, except bounds of numbers.
    if (!types.every((type) => type === 'integer' || type === 'number')) return;
  }
  compareKeywords(old, next, place, types[0] === 'int-or-string', found);
  compareRules(old, next, place, found);
  compareProperties(old, next, place, found);
  compareRequired(old, next, place, found);
  compareChildren(old, next, place, found);
}

/** Returns the type of values; `int-or-string` and `any` are not types of JSON Schema. */
function typeOf(schema: Schema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  return schema.type ?? 'any';
}

const at = ({ path, node }: ComparedNode, keyword: string): Pick<SchemaDifference, 'path' | 'node' | 'keyword'> => ({
  path,
  node,
  keyword,
});

function compareKeywords(
  old: Schema,
  next: Schema,
  place: ComparedNode,
  isIntOrString: boolean,
  found: SchemaDifference[],
) {
  const left = keywordsOf(old, isIntOrString);
  const right = keywordsOf(next, isIntOrString);
  for (const keyword of new Set([...left.keys(), ...right.keys()])) {
    const [was, is] = [left.get(keyword), right.get(keyword)];
    if (equal(was ?? usual[keyword], is ?? usual[keyword])) continue;
    found.push(difference(at(place, keyword), written(old, keyword, was), written(next, keyword, is)));
  }
}

/** Returns a keyword as written: the values of an enum keep their order. */
const written = (schema: Schema, keyword: string, plain: JsonValue | undefined): JsonValue | undefined =>
  keyword === 'enum' ? plainValue(schema.enum) : plain;

function difference(
  about: Omit<SchemaDifference, 'old' | 'new'>,
  old: JsonValue | undefined,
  next: JsonValue | undefined,
): SchemaDifference {
  return { ...about, ...(old === undefined ? {} : { old }), ...(next === undefined ? {} : { new: next }) };
}

/** Returns keywords in a plain form, without keywords that only repeat the type. */
function keywordsOf(schema: Schema, isIntOrString: boolean): ReadonlyMap<string, JsonValue> {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, JsonValue][] => {
    if (walked.has(keyword) || words.has(keyword) || (isIntOrString && keyword === 'anyOf' && isBoth(value))) return [];
    const plain = plainKeyword(keyword, value);
    return plain === undefined ? [] : [[keyword, plain]];
  });
  return new Map(entries);
}

/** Returns whether an `anyOf` or `oneOf` only says that a value is an integer or a string. */
function isBoth(value: unknown): boolean {
  return equal(plainValue(value), [{ type: 'integer' }, { type: 'string' }]);
}

function compareRules(old: Schema, next: Schema, place: ComparedNode, found: SchemaDifference[]): void {
  const was = rulesOf(old);
  const is = rulesOf(next);
  const gone = was.filter((rule) => !is.some((other) => equal(rule, other)));
  const fresh = is.filter((rule) => !was.some((other) => equal(rule, other)));
  for (const rule of gone) {
    // A rule with other texts is the same rule. So is the only rule that has changed.
    const index = fresh.findIndex((other) => other.rule === rule.rule || (gone.length === 1 && fresh.length === 1));
    const [match] = index < 0 ? [] : fresh.splice(index, 1);
    found.push(difference(at(place, 'x-kubernetes-validations'), rule, match));
  }
  for (const rule of fresh) found.push(difference(at(place, 'x-kubernetes-validations'), undefined, rule));
}

function rulesOf(schema: Schema): readonly JsonObject[] {
  const rules: readonly ValidationRule[] = schema['x-kubernetes-validations'] ?? [];
  return rules.map((rule) => plainValue(rule)).filter((rule) => isObject(rule));
}

function compareProperties(old: Schema, next: Schema, place: ComparedNode, found: SchemaDifference[]): void {
  const left = old.properties ?? {};
  const right = next.properties ?? {};
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const was = Object.hasOwn(left, name) ? left[name] : undefined;
    const is = Object.hasOwn(right, name) ? right[name] : undefined;
    const below = { path: fieldOf(place.path, name), node: [...place.node, 'properties', name] };
    if (was !== undefined && is !== undefined) compareNodes(was, is, { ...below, isWhole: isWhole(was) }, found);
    else if (!(place.isWhole && ofWholeObjects.has(name) && isBare(was ?? is ?? {}))) {
      const about = { ...at(place, 'properties'), path: below.path, property: name };
      found.push(difference(about, was && plainSchema(was), is && plainSchema(is)));
    }
  }
}

const isWhole = (schema: Schema): boolean => schema['x-kubernetes-embedded-resource'] === true;

/** Returns whether a schema only has its type. */
const isBare = (schema: Schema): boolean => Object.keys(schema).every((key) => key === 'type' || words.has(key));

function compareRequired(old: Schema, next: Schema, place: ComparedNode, found: SchemaDifference[]): void {
  const was = new Set(old.required);
  const is = new Set(next.required);
  for (const name of new Set([...was, ...is])) {
    if (was.has(name) === is.has(name) || (place.isWhole && ofWholeObjects.has(name))) continue;
    // A removed field needs no second finding.
    if (was.has(name) && !Object.hasOwn(next.properties ?? {}, name)) continue;
    const about = { ...at(place, 'required'), path: fieldOf(place.path, name), property: name };
    found.push(difference(about, was.has(name) ? true : undefined, is.has(name) ? true : undefined));
  }
}

function compareChildren(old: Schema, next: Schema, place: ComparedNode, found: SchemaDifference[]): void {
  const below = (key: string, path: string): ComparedNode => ({ path, node: [...place.node, key], isWhole: false });
  compareChild('items', old.items, next.items, place, below('items', itemsOf(place.path)), found);
  const values = below('additionalProperties', valuesOf(place.path));
  compareChild('additionalProperties', old.additionalProperties, next.additionalProperties, place, values, found);
}

function compareChild(
  keyword: string,
  old: Schema | boolean | undefined,
  next: Schema | boolean | undefined,
  place: ComparedNode,
  below: ComparedNode,
  found: SchemaDifference[],
): void {
  if (typeof old === 'object' && typeof next === 'object') {
    compareNodes(old, next, { ...below, isWhole: isWhole(old) }, found);
    return;
  }
  const [was, is] = [plainKeyword(keyword, old), plainKeyword(keyword, next)];
  if (!equal(was, is)) found.push(difference(at(place, keyword), was, is));
}

/** Returns the path of a field of the object at `parent`. */
function fieldOf(parent: string, name: string): string {
  const written = formatPath([{ key: name }]);
  return parent === '' || written.startsWith('[') ? `${parent}${written}` : `${parent}.${written}`;
}

/** Returns the path of the items of the list at `parent`. */
const itemsOf = (parent: string): string => `${parent}[]`;

/** Returns the path of the values of the map at `parent`. */
const valuesOf = (parent: string): string => `${parent}{}`;
