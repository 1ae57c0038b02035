/** A schema at its place in the whole schema, and the schemas below it. */
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

/** The steps from the root. Nodes share the steps of their parent. */
export interface SchemaPath {
  readonly above: SchemaPath | undefined;
  readonly steps: Path;
}

/** The relation of a schema to the schema above it. A `rule` only narrows values. Structural schemas have no `part`. */
export type Level = 'root' | 'field' | 'item' | 'value' | 'rule' | 'part';

export interface SchemaNode {
  /** The schema with the keywords of a referenced type, if there is one. */
  readonly schema: WrittenSchema;
  /** The schema before references are resolved. */
  readonly raw: WrittenSchema;
  readonly place: SchemaPath | undefined;
  readonly level: Level;
  /** Whether it describes the apiVersion, kind or metadata of an object, or a part of these. */
  readonly isInMeta: boolean;
  /**
   * The reason why this cannot have a default: it is in the root's apiVersion, kind or metadata, or in a map of
   * metadata.
   */
  readonly noDefaults: string | undefined;
  /** For a rule: the schema of the same value outside all rules. */
  readonly outside: Outside | undefined;
}

/** The schema of a rule's value outside all rules. `schema` is absent if only rules describe the value. */
interface Outside {
  readonly owner: SchemaNode;
  readonly schema: WrittenSchema | undefined;
  readonly place: SchemaPath | undefined;
}

export const embedded = 'x-kubernetes-embedded-resource';

/** The fields that identify every object. */
const metaFields = new Set(['metadata', 'apiVersion', 'kind']);

/** Returns the top node of a schema. `level` is not `root` for a part of a schema. */
export function topNode(schema: WrittenSchema, raw = schema, level: Level = 'root'): SchemaNode {
  return { schema, raw, place: undefined, level, isInMeta: false, noDefaults: undefined, outside: undefined };
}

/** Returns the steps of a place from the root. */
export function pathOf(place: SchemaPath | undefined): Path {
  const parts: Path[] = [];
  for (let each = place; each !== undefined; each = each.above) parts.push(each.steps);
  return parts.reverse().flat();
}

/** The keywords with maps of schemas by name. */
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

/** Yields the node below if it is written. */
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

/** Returns the schema outside all rules for the value at `steps` below a node. */
function outsideOf(above: SchemaNode, steps: readonly [string, (string | number)?]): Outside | undefined {
  const { schema, place, level, outside } = above;
  if (level !== 'rule') return { owner: above, schema, place };
  const [key] = steps;
  if (outside?.schema === undefined || (key !== 'properties' && key !== 'items'))
    return outside?.schema === undefined ? undefined : outside;
  const at = { above: outside.place, steps: steps.filter((step) => step !== undefined) };
  return { owner: outside.owner, schema: below(outside.schema, steps), place: at };
}

/** Returns whether the alternatives at a node may name types. Only the alternatives integer and string may. */
function mayNameTypes({ schema, level, place, outside }: SchemaNode): boolean {
  if (!isTypeChoice(schema)) return false;
  const isFirst = place?.above === outside?.owner.place && place?.steps[0] === 'allOf' && place.steps[1] === 0;
  return level !== 'rule' || isFirst;
}

/** Returns whether the alternatives of a schema are exactly the two types integer and string. */
function isTypeChoice(schema: WrittenSchema): boolean {
  const types = schemaListAt(schema, 'anyOf').map((one) => (isTypeAlone(one) ? stringAt(one, 'type') : ''));
  return types.length === 2 && types[0] === 'integer' && types[1] === 'string';
}

const isTypeAlone = (schema: WrittenSchema): boolean =>
  Object.keys(schema).every((key) => key === 'type' || valueAt(schema, key) === undefined);
