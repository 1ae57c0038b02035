/** Rules on how lists and maps of several writers are merged, as diagnostics. */
import { didYouMean } from '../../../runtime/objects/suggest.js';
import {
  type Finding,
  keyFindings,
  keysOf,
  type ListRule,
  listFindings,
  listType,
  mapKeys,
  mapType,
} from '../../../runtime/schema/structural/index.js';
import { asWritten, type Said, type Say, type SchemaNode, writes } from './schema-node.js';

/** List types stand on lists, map types on objects, and items can be told apart by keys that all of them have. */
export function checkLists(node: SchemaNode, say: Say): void {
  if (node.schema.uniqueItems === true) {
    const message = '`uniqueItems` cannot be true: comparing all items with each other takes too long';
    say('KF3013', 'uniqueItems', message, `write \`${listType}: set\``);
  }
  const schema = asWritten(node.schema);
  const found = [...listFindings(schema)];
  const rules = new Set(found.map(({ rule }) => rule));
  // Of the findings about one key, the presence of the key comes last.
  const ofKeys = rules.has('keyed-item-type') ? [] : [...keyFindings(schema)].reverse();
  const isSet = ({ value }: Finding<ListRule>): boolean => value === 'set';
  const keys = rules.has('list-type-elsewhere') ? ofKeys.filter((finding) => !isSet(finding)) : ofKeys;
  const names = keysOf(schema);
  for (const finding of [...found, ...keys]) {
    const { rule, name = '', index } = finding;
    const isRepeated = index !== undefined && names.indexOf(name) < index;
    const said = isRepeated && rule !== 'key-twice' ? undefined : problemOf(finding, node);
    if (said) say(...said);
  }
}

function problemOf({ rule, name = '', index = 0, value }: Finding<ListRule>, node: SchemaNode): Said | undefined {
  const { schema } = node;
  const key = `key \`${name}\``;
  const atKey = [mapKeys, index];
  switch (rule) {
    case 'map-type-elsewhere':
      return ['KF3015', mapType, `\`${mapType}\` is only for \`type: object\``];
    case 'list-type-elsewhere':
      return isBytes(node) ? undefined : ['KF3014', listType, `\`${listType}\` is only for \`type: array\``];
    case 'set-item-not-atomic':
      if (name === listType) {
        return ['KF3014', ['items', name], 'lists in a set must be atomic', `write \`${name}: atomic\``];
      } else {
        const message = 'objects in a set must be atomic, since they are compared as a whole';
        return ['KF3014', 'items', message, `write \`${name}: atomic\` on the items`];
      }
    case 'keys-elsewhere': {
      const suggestion = writes(node, listType) ? undefined : `write \`${listType}: map\``;
      return ['KF3016', mapKeys, `\`${mapKeys}\` is only for \`${listType}: map\``, suggestion];
    }
    case 'keys-missing': {
      const at = writes(node, mapKeys) ? mapKeys : listType;
      return ['KF3016', at, `a list of type map must name its keys in \`${mapKeys}\``];
    }
    case 'keyed-without-items':
      return ['KF3016', listType, 'a list of type map must have `items`'];
    case 'keyed-item-type':
      return ['KF3016', ['items', 'type'], 'items of a list of type map must be of type object'];
    case 'items-nullable': {
      const at = ['items', 'nullable'];
      if (value === 'set') return ['KF3014', at, 'items of a set cannot be nullable'];
      return ['KF3016', at, 'items of a list of type map cannot be nullable'];
    }
    case 'key-twice':
      return ['KF3016', atKey, `${key} is named twice`];
    case 'key-unknown':
      return [
        'KF3016',
        atKey,
        `${key} is not a property of the items`,
        () => didYouMean(name, Object.keys(schema.items?.properties ?? {})),
      ];
    case 'key-not-scalar':
      return ['KF3016', atKey, `${key} must be a scalar, not ${value === 'array' ? 'a list' : 'an object'}`];
    case 'key-nullable':
      return ['KF3016', atKey, `${key} cannot be nullable`];
    case 'key-optional': {
      if (hasZeroKey(node, name)) return undefined;
      const suggestion = 'list it in `required` of the items, or give it a default';
      return ['KF3016', atKey, `${key} may be missing from an item`, suggestion];
    }
  }
}

/** Bytes are a list to built-in kinds, and written as a string. */
const isBytes = ({ schema, isNative }: SchemaNode): boolean =>
  isNative && schema.type === 'string' && schema.format === 'byte';

/** Native types may have an absent key count as its zero, which the presence of the field says. */
const hasZeroKey = ({ schema, isNative }: SchemaNode, key: string): boolean =>
  isNative && schema.items?.properties?.[key]?.['x-kindforge-presence'] !== undefined;
