/** The rules of structural schemas as diagnostics: the code, place and words of each. */
import { isObject, stringAt } from '../../../runtime/objects/guards.js';
import { didYouMean } from '../../../runtime/objects/suggest.js';
import { isSchemaKey } from '../../../runtime/schema/schema-keys.js';
import {
  embedded,
  type Finding,
  intOrString,
  keepsUnknown,
  type Level,
  listType,
  mapKeys,
  mapType,
  type Path,
  pathOf,
  rootFindings,
  type SchemaNode,
  type SchemaRule,
  says,
  schemaAt,
  schemaFindings,
  topNode,
  validations,
  valueAt,
} from '../../../runtime/schema/structural/index.js';
import type { Report } from '../../diagnostics/problem.js';
import type { Said } from './schema-node.js';

/** A schema to check: as written, with its references resolved, and its place. */
export interface Checked {
  readonly raw: unknown;
  readonly schema: object;
  readonly path: Path;
  readonly level: Level;
  readonly isNative: boolean;
  /** Whether the resource has the status subresource. */
  readonly hasStatus: boolean;
}

/** Reports what is not structural in a schema. */
export function checkStructure({ raw, schema, path, level, isNative, hasStatus }: Checked, report: Report): void {
  if (!isObject(raw) || !isObject(schema)) return;
  const top = topNode(schema, raw, level);
  const findings = [...(level === 'root' ? rootFindings(top, hasStatus && !isNative) : []), ...schemaFindings(top)];
  for (const finding of findings) {
    const { node } = finding;
    for (const [code, key, message, suggestion] of listOf(words[finding.rule](finding, isNative))) {
      const steps = typeof key === 'string' ? (key === '' ? [] : [key]) : key;
      const at = [...path, ...pathOf(node.place), ...steps];
      report({ code, path: at, at: 'key', message, ...(suggestion === undefined ? {} : { suggestion }) });
    }
  }
}

type Sayings = Said | readonly Said[] | undefined;
type Words = (finding: Finding, isNative: boolean) => Sayings;

const where: Readonly<Partial<Record<Level, string>>> = {
  root: 'the root of a schema',
  item: 'the items of a list',
  value: 'the values of a map',
};

/** Returns nothing: the format check has already reported it, or only servers reject it. */
const silent: Words = () => undefined;

/**
 * Drops words of rules about lists and validation rules below `allOf` and similar keywords, where such rules are not
 * allowed anyway.
 */
const outsideRules =
  (words: Words): Words =>
  (finding, isNative) =>
    finding.node.level === 'rule' || finding.node.level === 'part' ? undefined : words(finding, isNative);

/** Returns words that do not depend on the place. `key` names the keyword to change, if it is another one. */
const say =
  (code: Said[0], message: string, suggestion?: string, key?: string): Words =>
  ({ at }) => [code, key ?? at, message, suggestion];

/** Returns words about a key of a list of type map, at the place that names the key. */
const ofKey = (
  words: (name: string, finding: Finding) => string,
  suggest?: (finding: Finding) => string | undefined,
): Words =>
  outsideRules((finding) => {
    const { name = '', index = 0, isRepeated } = finding;
    if (isRepeated) return undefined;
    const message = `key \`${name}\` ${words(name, finding)}`;
    return ['KF3016', [mapKeys, index], message, suggest && (() => suggest(finding))];
  });

const restricted = 'only `name` and `generateName` of metadata can be restricted';

const words: Readonly<Record<SchemaRule, Words>> = {
  'status-root-type': silent,
  'status-root-keywords': ({ parts = [] }) =>
    parts.map(([key]) => [
      'KF3006',
      [key ?? ''],
      `\`${key}\` cannot be at the root of the schema, because the version has the status subresource`,
    ]),
  'root-nullable': say('KF3006', 'the root of a schema cannot be nullable'),
  untyped: untyped,
  'untyped-root': untyped,
  'root-type': ({ at, value }) => ['KF3006', at, `the root of a schema must be of type object, not ${value}`],
  'root-map': ({ node, at }) => (isUnclear(node) ? undefined : ['KF3006', at, 'the root of a schema cannot be a map']),
  'list-without-items': say('KF3005', 'a list must describe its items in `items`', undefined, ''),
  'int-or-string-marker': ({ at, name }) => ['KF3012', at, `\`${name}\` cannot be used with \`${intOrString}\``],
  'embedded-type': ({ node, at, value }) => {
    if (value === undefined && writes(node, 'type')) return undefined;
    return ['KF3011', value === undefined ? embedded : at, `\`${embedded}\` requires \`type: object\``];
  },
  'embedded-map': say('KF3011', `\`additionalProperties\` cannot be used with \`${embedded}\``),
  'embedded-empty': say(
    'KF3011',
    `\`${embedded}\` requires \`properties\`, or \`${keepsUnknown}: true\``,
    undefined,
    embedded,
  ),
  'embedded-in-meta': say('KF3011', 'apiVersion, kind and metadata cannot contain another object'),
  'meta-type': ({ at, value, name }) => {
    const wanted = name === 'metadata' ? 'object' : 'string';
    return value === '' ? undefined : ['KF3010', at, `\`${name}\` is always of type ${wanted}, not ${value}`];
  },
  'metadata-restricted': ({ node, parts = [] }, isNative) => {
    const raw = schemaAt(schemaAt(node.raw, 'properties'), 'metadata');
    const told = parts.filter(
      ([, , key, name]) => name !== undefined || (writesIn(raw, key) && !(isNative && describes.has(key))),
    );
    return told.map((part) => ['KF3010', part, restricted]);
  },
  'default-in-meta': ({ node, at, name }) => {
    if (name === 'map') return ['KF3010', at, 'values of maps in metadata cannot have a default'];
    if (name !== 'metadata') return ['KF3010', at, `\`${name}\` cannot have a default`];
    const [, , , field] = pathOf(node.place);
    if (field === undefined) return ['KF3010', at, restricted];
    return field === 'name' || field === 'generateName' ? ['KF3010', at, 'names cannot have a default'] : undefined;
  },
  'below-junctor': belowJunctor,
  'keyword-unsupported': (finding) =>
    finding.node.level === 'rule' && finding.name === '$ref' ? belowJunctor(finding) : undefined,
  'metadata-below-junctor': say('KF3010', 'a rule cannot restrict `metadata`'),
  'only-in-rule': ({ node }, isNative) => {
    const [kind, name] = node.place?.steps ?? [];
    // Servers look for the fields of rules at the root only.
    const code = !isNative && node.outside?.owner.level === 'root' ? 'KF3026' : 'KF3009';
    if (name === 'metadata') return undefined;
    const message = `${kind === 'items' ? '`items`' : `field \`${name}\``} is only in this rule, not in the schema`;
    return [code, '', message, 'add it to the schema outside of the rule'];
  },
  pattern: ({ at, value, name }) => {
    const isForeign = /\(\?[=!<]/.test(String(value));
    const suggestion = isForeign ? 'RE2 has no look-ahead or look-behind' : undefined;
    return ['KF4002', at, `not a regular expression of RE2: ${name}`, suggestion];
  },
  'type-unknown': silent,
  'type-null': silent,
  'items-list': silent,
  'keeps-nothing': silent,
  'unique-items': say(
    'KF3013',
    '`uniqueItems` cannot be true: comparing all items with each other takes too long',
    `write \`${listType}: set\``,
  ),
  'map-with-properties': outsideRules(({ at, value: isOpen }, isNative) => {
    // Beside properties, servers accept `true` and ignore it.
    if (isOpen && !isNative) return undefined;
    return ['KF3007', at, '`additionalProperties` makes a map, which cannot have `properties`'];
  }),
  'map-type-elsewhere': outsideRules(say('KF3015', `\`${mapType}\` is only for \`type: object\``, undefined, mapType)),
  'map-type-unknown': silent,
  'list-type-unknown': silent,
  'list-type-elsewhere': outsideRules(({ node: { schema } }, isNative) => {
    // Bytes are a list in built-in kinds, written as a string.
    const isBytes = isNative && stringAt(schema, 'type') === 'string' && stringAt(schema, 'format') === 'byte';
    return isBytes ? undefined : ['KF3014', listType, `\`${listType}\` is only for \`type: array\``];
  }),
  'set-item-not-atomic': outsideRules(({ at, name }) =>
    name === listType
      ? ['KF3014', at, 'lists in a set must be atomic', `write \`${name}: atomic\``]
      : [
          'KF3014',
          'items',
          'objects in a set must be atomic, since they are compared as a whole',
          `write \`${name}: atomic\` on the items`,
        ],
  ),
  'keys-elsewhere': outsideRules(({ node }) => {
    const suggestion = writes(node, listType) ? undefined : `write \`${listType}: map\``;
    return ['KF3016', mapKeys, `\`${mapKeys}\` is only for \`${listType}: map\``, suggestion];
  }),
  'keys-missing': outsideRules(({ node }) => {
    const key = writes(node, mapKeys) ? mapKeys : listType;
    return ['KF3016', key, `a list of type map must name its keys in \`${mapKeys}\``];
  }),
  'keyed-without-items': outsideRules(say('KF3016', 'a list of type map must have `items`', undefined, listType)),
  'keyed-item-type': outsideRules(say('KF3016', 'items of a list of type map must be of type object')),
  'items-nullable': outsideRules(({ node: { schema }, at, value }) => {
    if (value !== 'set')
      return hasObjects(schema) ? ['KF3016', at, 'items of a list of type map cannot be nullable'] : undefined;
    return stringAt(schema, 'type') === 'array' ? ['KF3014', at, 'items of a set cannot be nullable'] : undefined;
  }),
  'key-twice': ofKey(() => 'is named twice'),
  'key-unknown': ofKey(
    () => 'is not a property of the items',
    ({ node, name = '' }) =>
      didYouMean(name, Object.keys(schemaAt(schemaAt(node.schema, 'items'), 'properties') ?? {})),
  ),
  'key-not-scalar': ofKey((_, { value }) => `must be a scalar, not ${value === 'array' ? 'a list' : 'an object'}`),
  'key-nullable': (finding, isNative) =>
    hasObjects(finding.node.schema) ? ofKey(() => 'cannot be nullable')(finding, isNative) : undefined,
  'key-optional': (finding, isNative) => {
    const {
      node: { schema },
      name = '',
    } = finding;
    const key = schemaAt(schemaAt(schemaAt(schema, 'items'), 'properties'), name);
    // In native types, an absent key has its zero value if the key has a presence.
    if (!hasObjects(schema) || (isNative && valueAt(key, 'x-kindforge-presence') !== undefined)) return undefined;
    return ofKey(
      () => 'may be missing from an item',
      () => 'list it in `required` of the items, or give it a default',
    )(finding, isNative);
  },
  'rule-empty': outsideRules(say('KF4018', 'the rule is empty')),
  'message-empty': outsideRules(
    say('KF4019', 'the message is empty', 'leave it out, and errors quote the rule itself'),
  ),
  'message-line-break': outsideRules(say('KF4019', 'a message must be one line')),
  'message-missing': outsideRules(({ at }) => [
    'KF4019',
    [...at.slice(0, -1), 'rule'],
    'a rule of several lines must have a message',
    'add `message`',
  ]),
  'message-expression-empty': outsideRules(say('KF4019', 'the expression is empty', 'leave it out')),
};

/** Keywords that only describe their node. */
const describes = new Set<string | number | undefined>(['description', 'title', validations]);

function belowJunctor({ at, name }: Finding): Said {
  return ['KF3008', at, `\`${name}\` must not be below allOf, anyOf, oneOf or not`, 'write it on the field itself'];
}

function untyped({ node }: Finding): Said | undefined {
  if (isUnclear(node)) return undefined;
  const { schema } = node;
  const isMap = valueAt(schema, 'properties') !== undefined || valueAt(schema, 'additionalProperties') !== undefined;
  const type = isMap ? 'object' : valueAt(schema, 'items') === undefined ? undefined : 'array';
  const suggestion = type && `write \`type: ${type}\``;
  return ['KF3005', '', `${where[node.level] ?? 'a field'} must have a \`type\``, suggestion];
}

/** Returns whether the type may be missing because of another mistake that is already reported. */
function isUnclear(node: SchemaNode): boolean {
  const { schema, raw } = node;
  if (stringAt(schema, 'type') !== '') return false;
  return writes(node, 'type') || says(schema, embedded) || Object.keys(raw).some((key) => !isSchemaKey(key));
}

const writes = ({ raw }: SchemaNode, key: string): boolean => valueAt(raw, key) !== undefined;

const writesIn = (raw: SchemaNode['raw'] | undefined, key: string | number | undefined): boolean =>
  raw !== undefined && typeof key === 'string' && Object.hasOwn(raw, key);

/** Returns whether the items of a list are objects, as in lists with keys. */
const hasObjects = (schema: SchemaNode['schema']): boolean => stringAt(schemaAt(schema, 'items'), 'type') === 'object';

/** Returns several findings as they are, and a single one as a list. */
function listOf(sayings: Sayings): readonly Said[] {
  if (sayings === undefined) return [];
  return isSaid(sayings) ? [sayings] : sayings;
}

const isSaid = (sayings: Said | readonly Said[]): sayings is Said => typeof sayings[0] === 'string';
