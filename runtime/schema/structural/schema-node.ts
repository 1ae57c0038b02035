/** A schema at its place in a whole one, and the schemas below it. */
import { isObject, stringAt } from '../../objects/guards.js';
import {
  itemsAt,
  junctorLists,
  says,
  schemaAt,
  schemaListAt,
  schemasAt,
  valueAt,
  type WrittenSchema,
} from './reading.js';

/** Keys and list indexes. */
export type Path = readonly (string | number)[];

/** Steps from the root, shared between the nodes below. */
export interface SchemaPath {
  readonly above: SchemaPath | undefined;
  readonly steps: Path;
}

/** How a schema relates to the one above it: a `rule` only narrows values; no structural schema has a `part`. */
export type Level = 'root' | 'field' | 'item' | 'value' | 'rule' | 'part';

export interface SchemaNode {
  /** The schema with the keywords of a referenced type, if there is one. */
  readonly schema: WrittenSchema;
  /** The schema before references are resolved. */
  readonly raw: WrittenSchema;
  readonly place: SchemaPath | undefined;
  readonly level: Level;
  /** Whether it describes the apiVersion, kind or metadata of an object, or something in them. */
  readonly isInMeta: boolean;
  /** The reason if there can be no default here: a field of an embedded object, or a map of metadata. */
  readonly noDefaults: string | undefined;
  /** Of a rule: the schema of the same value outside of all rules. */
  readonly outside: Outside | undefined;
}

/** The schema outside of all rules for the value that a rule is about; `schema` is absent if only rules describe it. */
interface Outside {
  readonly owner: SchemaNode;
  readonly schema: WrittenSchema | undefined;
  readonly place: SchemaPath | undefined;
}

export const embedded = 'x-kubernetes-embedded-resource';

/** The fields of every object that say what it is. */
const metaFields = new Set(['metadata', 'apiVersion', 'kind']);

/** Returns the top of a schema. `level` differs from the root for a part of a schema. */
export function topNode(schema: WrittenSchema, raw = schema, level: Level = 'root'): SchemaNode {
  return { schema, raw, place: undefined, level, isInMeta: false, noDefaults: undefined, outside: undefined };
}

/** Returns the steps of a place, from the root on. */
export function pathOf(place: SchemaPath | undefined): Path {
  const parts: Path[] = [];
  for (let each = place; each !== undefined; each = each.above) parts.push(each.steps);
  return parts.reverse().flat();
}

/** Maps of schemas by names. */
const named = new Set<string | number>(['properties', 'definitions', 'dependencies']);

/** Returns a path as field errors write it: `spec.properties[name].allOf[0].type`. */
export function fieldPath(path: string, at: Path): string {
  let text = path;
  let isName = false;
  for (const step of at) {
    text += isName || typeof step === 'number' ? `[${step}]` : `.${step}`;
    isName = !isName && named.has(step);
  }
  return text;
}

/** Yields the written nodes below a node, in the order of checks. */
export function* nodesBelow(node: SchemaNode): Generator<SchemaNode> {
  const isRule = node.level === 'rule';
  yield* child(node, ['additionalProperties'], isRule ? 'part' : 'value');
  for (const [name] of schemasAt(node.schema, 'properties')) yield* child(node, ['properties', name], 'field');
  yield* child(node, ['not'], 'rule');
  for (const key of junctorLists) {
    const items = itemsAt(node.schema, key);
    const level = key === 'anyOf' && items.length === 2 && mayNameTypes(node) ? 'part' : 'rule';
    for (const index of items.keys()) yield* child(node, [key, index], level);
  }
  for (const [name] of schemasAt(node.schema, 'definitions')) yield* child(node, ['definitions', name], 'part');
  yield* child(node, ['items'], 'item');
  for (const index of itemsAt(node.schema, 'items').keys()) yield* child(node, ['items', index], 'part');
  for (const [name] of schemasAt(node.schema, 'dependencies')) yield* child(node, ['dependencies', name], 'part');
}

/** Yields a node below, unless nothing is written there. */
function* child(above: SchemaNode, steps: readonly [string, (string | number)?], level: Level): Generator<SchemaNode> {
  const raw = below(above.raw, steps);
  if (raw === undefined) return;
  const [key, name] = steps;
  const place = { above: above.place, steps: steps.filter((step) => step !== undefined) };
  const isField = key === 'properties' && typeof name === 'string';
  const isHead = isField && (above.level === 'root' || says(above.schema, embedded)) && metaFields.has(name);
  const ofMap = above.isInMeta && key === 'additionalProperties' ? 'map' : above.noDefaults;
  const own = above.level === 'part' || (above.level === 'rule' && level !== 'part') ? above.level : level;
  yield {
    schema: below(above.schema, steps) ?? {},
    raw,
    place,
    level: own,
    isInMeta: above.isInMeta || isHead,
    noDefaults: isHead && above.level === 'root' ? name : ofMap,
    outside: own === 'rule' ? outsideOf(above, steps) : undefined,
  };
}

function below(schema: WrittenSchema, [key, name]: readonly [string, (string | number)?]): WrittenSchema | undefined {
  if (name === undefined) return schemaAt(schema, key);
  if (typeof name === 'string') return schemaAt(schemaAt(schema, key), name);
  const item = itemsAt(schema, key)[name];
  return isObject(item) ? item : undefined;
}

/** Returns the schema outside of all rules for the value that is `steps` below a node. */
function outsideOf(above: SchemaNode, steps: readonly [string, (string | number)?]): Outside | undefined {
  const { schema, place, level, outside } = above;
  if (level !== 'rule') return { owner: above, schema, place };
  const [key] = steps;
  if (outside?.schema === undefined || (key !== 'properties' && key !== 'items'))
    return outside?.schema === undefined ? undefined : outside;
  const at = { above: outside.place, steps: steps.filter((step) => step !== undefined) };
  return { owner: outside.owner, schema: below(outside.schema, steps), place: at };
}

/** Returns whether the alternatives at a node may name types. Only alternatives of an integer or string may. */
function mayNameTypes({ schema, level, place, outside }: SchemaNode): boolean {
  if (!isTypeChoice(schema)) return false;
  const isFirst = place?.above === outside?.owner.place && place?.steps[0] === 'allOf' && place.steps[1] === 0;
  return level !== 'rule' || isFirst;
}

/** Returns whether the alternatives of a schema are exactly the two types of an integer or string. */
function isTypeChoice(schema: WrittenSchema): boolean {
  const types = schemaListAt(schema, 'anyOf').map((one) => (isTypeAlone(one) ? stringAt(one, 'type') : ''));
  return types.length === 2 && types[0] === 'integer' && types[1] === 'string';
}

const isTypeAlone = (schema: WrittenSchema): boolean =>
  Object.keys(schema).every((key) => key === 'type' || valueAt(schema, key) === undefined);
