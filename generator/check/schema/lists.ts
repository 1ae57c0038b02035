/** Rules on how lists and maps of several writers are merged. */
import type { Schema } from '../../../runtime/contract/index.js';
import { didYouMean } from '../../../runtime/objects/suggest.js';
import type { Path, Report } from '../../diagnostics/problem.js';
import { complain, type SchemaNode, writes } from './schema-node.js';

const LIST_TYPE = 'x-kubernetes-list-type';
const KEYS = 'x-kubernetes-list-map-keys';
const MAP_TYPE = 'x-kubernetes-map-type';

/** List types stand on lists, and their items must be of a kind that can be told apart. */
export function checkListType(node: SchemaNode, report: Report): void {
  const { schema } = node;
  if (schema.uniqueItems === true) {
    const message = '`uniqueItems` cannot be true: comparing all items with each other takes too long';
    complain(report, 'KF3013', node, 'uniqueItems', message, `write \`${LIST_TYPE}: set\``);
  }
  const listType = schema[LIST_TYPE];
  if (listType === undefined) return;
  if (schema.type !== 'array' && !isBytes(node)) {
    complain(report, 'KF3014', node, LIST_TYPE, `\`${LIST_TYPE}\` is only for \`type: array\``);
    return;
  }
  if (listType === 'set') checkSet(node, report);
}

/** Bytes are a list to built-in kinds, and written as a string. */
function isBytes({ schema, isNative }: SchemaNode): boolean {
  return isNative && schema.type === 'string' && schema.format === 'byte';
}

function checkSet(node: SchemaNode, report: Report): void {
  const items = node.schema.items;
  if (items === undefined) return;
  if (items.nullable === true)
    complain(report, 'KF3014', node, ['items', 'nullable'], 'items of a set cannot be nullable');
  if (items.type === 'array' && items[LIST_TYPE] !== undefined && items[LIST_TYPE] !== 'atomic') {
    complain(
      report,
      'KF3014',
      node,
      ['items', LIST_TYPE],
      'lists in a set must be atomic',
      `write \`${LIST_TYPE}: atomic\``,
    );
  }
  if (items.type === 'object' && items[MAP_TYPE] !== 'atomic') {
    const message = 'objects in a set must be atomic, since they are compared as a whole';
    complain(report, 'KF3014', node, 'items', message, `write \`${MAP_TYPE}: atomic\` on the items`);
  }
}

/** Map types stand on objects. */
export function checkMapType(node: SchemaNode, report: Report): void {
  if (node.schema[MAP_TYPE] === undefined || node.schema.type === 'object') return;
  complain(report, 'KF3015', node, MAP_TYPE, `\`${MAP_TYPE}\` is only for \`type: object\``);
}

/** Keys of a list of type map are scalar properties that every item has. */
export function checkListMapKeys(node: SchemaNode, report: Report): void {
  const { schema } = node;
  const keys = schema[KEYS] ?? [];
  if (schema[LIST_TYPE] !== 'map') {
    if (keys.length === 0) return;
    const message = `\`${KEYS}\` is only for \`${LIST_TYPE}: map\``;
    complain(
      report,
      'KF3016',
      node,
      KEYS,
      message,
      writes(node, LIST_TYPE) ? undefined : `write \`${LIST_TYPE}: map\``,
    );
    return;
  }
  if (keys.length === 0) {
    complain(
      report,
      'KF3016',
      node,
      writes(node, KEYS) ? KEYS : LIST_TYPE,
      `a list of type map must name its keys in \`${KEYS}\``,
    );
  }
  const items = schema.items;
  if (items === undefined) complain(report, 'KF3016', node, LIST_TYPE, 'a list of type map must have `items`');
  else if (items.type !== 'object')
    complain(report, 'KF3016', node, ['items', 'type'], 'items of a list of type map must be of type object');
  else {
    if (items.nullable === true)
      complain(report, 'KF3016', node, ['items', 'nullable'], 'items of a list of type map cannot be nullable');
    const seen = new Set<string>();
    keys.forEach((key, index) => {
      const at = [KEYS, index];
      if (seen.has(key)) complain(report, 'KF3016', node, at, `key \`${key}\` is named twice`);
      else checkKey(node, items, key, at, report);
      seen.add(key);
    });
  }
}

function checkKey(node: SchemaNode, items: Schema, key: string, at: Path, report: Report): void {
  const property = Object.hasOwn(items.properties ?? {}, key) ? items.properties?.[key] : undefined;
  if (property === undefined) {
    complain(report, 'KF3016', node, at, `key \`${key}\` is not a property of the items`, () =>
      didYouMean(key, Object.keys(items.properties ?? {})),
    );
    return;
  }
  if (property.type === 'array' || property.type === 'object') {
    complain(
      report,
      'KF3016',
      node,
      at,
      `key \`${key}\` must be a scalar, not ${property.type === 'array' ? 'a list' : 'an object'}`,
    );
  }
  if (property.nullable === true) complain(report, 'KF3016', node, at, `key \`${key}\` cannot be nullable`);
  if (isAlwaysThere(node, items, property, key)) return;
  complain(
    report,
    'KF3016',
    node,
    at,
    `key \`${key}\` may be missing from an item`,
    `list it in \`required\` of the items, or give it a default`,
  );
}

/** Native types say by the presence of a field whether they mean an absent key to count as its zero. */
function isAlwaysThere({ isNative }: SchemaNode, items: Schema, property: Schema, key: string): boolean {
  if (items.required?.includes(key) === true || property.default !== undefined) return true;
  return isNative && property['x-kindforge-presence'] !== undefined;
}
