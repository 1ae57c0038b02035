/** Rules on what a node is: its type, and what stands in for one. */

import { isSchemaKey } from '../../../runtime/schema/reading/schema-keys.js';
import type { Report } from '../../diagnostics/problem.js';
import { complain, type Level, type SchemaNode, writes } from './schema-node.js';

const WHERE: Readonly<Record<Level, string>> = {
  root: 'the root of a schema',
  field: 'a field',
  item: 'the items of a list',
  value: 'the values of a map',
};

/** Every node has a type, or a marker that takes its place; the root is an object. */
export function checkType(node: SchemaNode, report: Report): void {
  const { schema, level } = node;
  const isOpen =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema.type === undefined) {
    if (writes(node, 'type') || schema['x-kubernetes-embedded-resource'] === true || hasUnknownKey(node)) return;
    if (level === 'root' || !isOpen)
      complain(report, 'KF3005', node, '', `${WHERE[level]} must have a \`type\``, suggestType(node));
  } else if (level === 'root' && schema.type !== 'object') {
    complain(report, 'KF3006', node, 'type', `the root of a schema must be of type object, not ${schema.type}`);
  }
  if (level === 'root') checkRoot(node, report);
  if (schema.type === 'array' && schema.items === undefined) {
    complain(report, 'KF3005', node, '', 'a list must say in `items` what its items are');
  }
}

/** An object of the API is neither null, nor a map, nor there by default. */
function checkRoot(node: SchemaNode, report: Report): void {
  const { nullable, additionalProperties, default: value } = node.schema;
  if (nullable === true) complain(report, 'KF3006', node, 'nullable', 'the root of a schema cannot be nullable');
  if (additionalProperties !== undefined) {
    complain(report, 'KF3006', node, 'additionalProperties', 'the root of a schema cannot be a map');
  }
  if (value !== undefined) complain(report, 'KF3006', node, 'default', 'the root of a schema cannot have a default');
}

/** A key that is refused already may have been meant to be the type. */
function hasUnknownKey({ raw }: SchemaNode): boolean {
  return Object.keys(raw).some((key) => !isSchemaKey(key));
}

function suggestType({ schema }: SchemaNode): string | undefined {
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return 'write `type: object`';
  return schema.items === undefined ? undefined : 'write `type: array`';
}

/** A node is an object with known fields or a map, not both. */
export function checkObject(node: SchemaNode, report: Report): void {
  const { properties, additionalProperties } = node.schema;
  // Servers take `true` beside properties for what it is without: nothing.
  if (additionalProperties === undefined || (additionalProperties === true && !node.isNative)) return;
  if (properties === undefined || Object.keys(properties).length === 0) return;
  const message = '`additionalProperties` makes a map, which cannot have `properties`';
  complain(report, 'KF3007', node, 'additionalProperties', message);
}

/** An integer or string has no other nature. Servers let a type stand beside it that says nothing; we do not. */
export function checkIntOrString(node: SchemaNode, report: Report): void {
  const { schema } = node;
  if (schema['x-kubernetes-int-or-string'] !== true) return;
  const key = 'x-kubernetes-int-or-string';
  if (schema.type !== undefined && node.isNative)
    complain(report, 'KF3012', node, 'type', `\`type\` must be left out beside \`${key}\``);
  for (const other of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (schema[other] === true) complain(report, 'KF3012', node, other, `\`${other}\` excludes \`${key}\``);
  }
}

/** An embedded resource is an object with something in it. */
export function checkEmbeddedResource(node: SchemaNode, report: Report): void {
  const { schema } = node;
  const key = 'x-kubernetes-embedded-resource';
  if (schema[key] !== true) return;
  if (schema.type !== 'object' && (schema.type !== undefined || !writes(node, 'type'))) {
    complain(report, 'KF3011', node, schema.type === undefined ? key : 'type', `\`${key}\` asks for \`type: object\``);
  }
  if (schema.additionalProperties !== undefined) {
    complain(report, 'KF3011', node, 'additionalProperties', `\`additionalProperties\` cannot stand beside \`${key}\``);
  }
  if (isWithinObjectFields(node)) {
    complain(report, 'KF3011', node, key, 'apiVersion, kind and metadata of an object hold no other object');
  }
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
  if (isEmpty && schema['x-kubernetes-preserve-unknown-fields'] !== true) {
    const message = `\`${key}\` asks for \`properties\`, or for \`x-kubernetes-preserve-unknown-fields: true\``;
    complain(report, 'KF3011', node, key, message);
  }
}

const OBJECT_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

/** Whether a node is, or is within, one of the fields that every object has. */
export function isWithinObjectFields(node: SchemaNode): boolean {
  for (let each: SchemaNode | undefined = node; each !== undefined; each = each.parent) {
    if (
      each.level === 'field' &&
      OBJECT_FIELDS.has(each.name) &&
      each.parent !== undefined &&
      isObjectRoot(each.parent)
    )
      return true;
  }
  return false;
}

/** Whether a node is a whole object with apiVersion, kind and metadata. */
export function isObjectRoot({ level, schema }: SchemaNode): boolean {
  return level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
}
