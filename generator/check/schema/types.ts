/** Rules on the type of a node, and on the markers that stand in for one, as diagnostics. */

import { isSchemaKey } from '../../../runtime/schema/reading/schema-keys.js';
import {
  embedded,
  type Finding,
  intOrString,
  keepsUnknown,
  type NodeRule,
  nodeFindings,
} from '../../../runtime/schema/structural/index.js';
import { asWritten, type Level, type Said, type Say, type SchemaNode, writes } from './schema-node.js';

const WHERE: Readonly<Record<Level, string>> = {
  root: 'the root of a schema',
  field: 'a field',
  item: 'the items of a list',
  value: 'the values of a map',
};

/** Every node has a type, or a marker that takes its place; the root is an object. */
export function checkType(node: SchemaNode, say: Say): void {
  const { schema, level } = node;
  const stand = { isRoot: level === 'root', isInMeta: isWithinObjectFields(node), needsRootType: true };
  for (const finding of nodeFindings(asWritten(schema), stand)) {
    const said = problemOf(finding, node);
    if (said) say(...said);
  }
  if (schema[intOrString] === true && schema.type !== undefined && node.isNative) {
    say('KF3012', 'type', `\`type\` must be left out beside \`${intOrString}\``);
  }
  if (level === 'root' && !isUnclear(node)) checkRoot(node, say);
}

/** Whether the type may be missing only because of another mistake, which is reported already. */
function isUnclear(node: SchemaNode): boolean {
  const { schema, raw } = node;
  if (schema.type !== undefined) return false;
  return writes(node, 'type') || schema[embedded] === true || Object.keys(raw).some((key) => !isSchemaKey(key));
}

function problemOf({ rule, at, name = '' }: Finding<NodeRule>, node: SchemaNode): Said | undefined {
  const { schema, level } = node;
  switch (rule) {
    case 'untyped':
      return isUnclear(node) ? undefined : ['KF3005', '', `${WHERE[level]} must have a \`type\``, suggestType(node)];
    case 'list-without-items':
      return ['KF3005', '', 'a list must say in `items` what its items are'];
    case 'root-type':
      return ['KF3006', at, `the root of a schema must be of type object, not ${schema.type}`];
    case 'root-map':
      return isUnclear(node) ? undefined : ['KF3006', at, 'the root of a schema cannot be a map'];
    case 'int-or-string-marker':
      return ['KF3012', at, `\`${name}\` excludes \`${intOrString}\``];
    case 'embedded-type': {
      if (schema.type === undefined && writes(node, 'type')) return undefined;
      return ['KF3011', schema.type === undefined ? embedded : at, `\`${embedded}\` asks for \`type: object\``];
    }
    case 'embedded-map':
      return ['KF3011', at, `\`additionalProperties\` cannot stand beside \`${embedded}\``];
    case 'embedded-in-meta':
      return ['KF3011', at, 'apiVersion, kind and metadata of an object hold no other object'];
    case 'embedded-empty': {
      const message = `\`${embedded}\` asks for \`properties\`, or for \`${keepsUnknown}: true\``;
      return ['KF3011', embedded, message];
    }
    case 'meta-type': {
      const type = schema.properties?.[name]?.type;
      if (type === undefined) return undefined;
      const wanted = name === 'metadata' ? 'object' : 'string';
      return ['KF3010', at, `\`${name}\` is always of type ${wanted}, not ${type}`];
    }
  }
}

/** An object of the API is neither null nor there by default. */
function checkRoot({ schema: { nullable, default: value } }: SchemaNode, say: Say): void {
  if (nullable === true) say('KF3006', 'nullable', 'the root of a schema cannot be nullable');
  if (value !== undefined) say('KF3006', 'default', 'the root of a schema cannot have a default');
}

function suggestType({ schema }: SchemaNode): string | undefined {
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return 'write `type: object`';
  return schema.items === undefined ? undefined : 'write `type: array`';
}

/** A node is an object with known fields or a map, not both. */
export function checkObject(node: SchemaNode, say: Say): void {
  const { properties, additionalProperties } = node.schema;
  // Beside properties, servers accept `true` and ignore it.
  if (additionalProperties === undefined || (additionalProperties === true && !node.isNative)) return;
  if (properties === undefined || Object.keys(properties).length === 0) return;
  const message = '`additionalProperties` makes a map, which cannot have `properties`';
  say('KF3007', 'additionalProperties', message);
}

const OBJECT_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

/** Whether a node is, or is within, one of the fields that every object has. */
export function isWithinObjectFields(node: SchemaNode): boolean {
  for (let each = node; each.parent !== undefined; each = each.parent) {
    if (each.level === 'field' && OBJECT_FIELDS.has(each.name) && isObjectRoot(each.parent)) return true;
  }
  return false;
}

/** Whether a node is a whole object with apiVersion, kind and metadata. */
export function isObjectRoot({ level, schema }: SchemaNode): boolean {
  return level === 'root' || schema[embedded] === true;
}
