/** The names of typed kinds' types in messages, as in `v1.FSGroupPolicy`, `[]string`, `map[string]string`. */
import { additionalNode, type Node } from '../node.js';
import type { SharedName } from './definitions.js';
import { pascal, singular } from './names.js';
import { isIntOrString, keepsUnknown } from './traits.js';

const scalars: Readonly<Record<string, string>> = { string: 'string', boolean: 'bool', number: 'float64' };

/** The name of an object's type: that of the shared type it is, or one made of where it stands. */
export function structName(node: Node, parent: string, field: string): string {
  return sharedName(node)?.name ?? `${parent}${pascal(field)}`;
}

/** The struct that the items of a list are, where the list is a field of a struct. */
export function itemStructName(node: Node, parent: string, field: string): string {
  return sharedName(node)?.name ?? `${parent}${singular(pascal(field))}`;
}

/** A shared type: its own name and the last part of its library's, which is a version (`storage/v1#/TokenRequest`). */
function sharedName(node: Node): { name: string; library: string } | undefined {
  return namedType(node.schema['x-kindforge-type']);
}

function namedType(shared: string | undefined): { name: string; library: string } | undefined {
  if (shared === undefined) return undefined;
  const [library = '', name] = shared.split('#/');
  if (name !== undefined) return { name, library: library.split('/').at(-1) ?? '' };
  const parts = library.split('/');
  return { name: parts.at(-1) ?? '', library: parts.at(-2) ?? '' };
}

/** The shared type that a function is about, if its node is one: `normalize` and `PodSpec` make `normalizePodSpec`. */
export function sharedAs(verb: string, { schema }: Node): SharedName | undefined {
  const type = schema['x-kindforge-type'];
  const name = type?.split('#/')[1];
  return type === undefined || name === undefined ? undefined : { type, name: verb + pascal(name) };
}

/** The package of a shared type, for messages that print whole values: `storage` of `storage/v1#/TokenRequest`. */
export function packageName(node: Node): string | undefined {
  return node.schema['x-kindforge-type']?.split('#/')[0]?.split('/')[0];
}

/** The name of a shared type without its library. */
export function ownTypeName(node: Node): string | undefined {
  return sharedName(node)?.name;
}

/** Returns the type of a field for messages. `struct` is the name of its type if it is an object. */
export function wantedType(node: Node, struct: string, version: string): string {
  const shared = sharedName(node) ?? namedType(node.schema['x-kindforge-within']);
  if (node.schema.type === 'string' && node.schema.format === 'byte') return '[]uint8';
  if (node.schema.type === 'array') return `[]${itemType(node, struct, version)}`;
  if (shared !== undefined) return `${shared.library || version}.${shared.name}`;
  if (isIntOrString(node)) return 'intstr.IntOrString';
  const { type, format } = node.schema;
  if (type === 'integer') return format ?? 'int64';
  if (type === undefined || keepsUnknown(node)) return 'map[string]interface {}';
  const additional = additionalNode(node);
  if (additional !== undefined) return `map[string]${wantedType(additional, struct, version)}`;
  if (node.additional === 'any') return 'map[string]interface {}';
  return scalars[type] ?? `${version}.${struct}`;
}

function itemType(node: Node, struct: string, version: string): string {
  return node.items === undefined ? 'interface {}' : wantedType(node.items, struct, version);
}
