/** The names of typed kinds' types in messages, as in `v1.FSGroupPolicy`, `[]string`, `map[string]string`. */
import type { Schema } from '../../contract/index.js';
import { pascal, singular } from './names.js';

const scalars: Readonly<Record<string, string>> = { string: 'string', boolean: 'bool', number: 'float64' };

/** Returns the name of an object's type: that of the shared type it is, or one made of where it is. */
export function structName(schema: Schema, parent: string, field: string): string {
  return ownTypeName(schema) ?? `${parent}${pascal(field)}`;
}

/** Returns the name of the type of an item, for a list or map that is a field of a struct. */
export function itemStructName(schema: Schema, parent: string, field: string): string {
  return ownTypeName(schema) ?? `${parent}${singular(pascal(field))}`;
}

/** Returns the package of a shared type, for messages that print whole values: `storage` of `storage/v1#/TokenRequest`. */
export function packageName(schema: Schema): string | undefined {
  return schema['x-kindforge-type']?.split('#/')[0]?.split('/')[0];
}

/** Returns the name of a shared type without its library. */
export function ownTypeName(schema: Schema): string | undefined {
  return namedType(schema['x-kindforge-type'])?.name;
}

/** A shared type: its own name and the last part of its library's, which is a version (`storage/v1#/TokenRequest`). */
function namedType(shared: string | undefined): { name: string; library: string } | undefined {
  if (shared === undefined) return undefined;
  const [library = '', name] = shared.split('#/');
  if (name !== undefined) return { name, library: library.split('/').at(-1) ?? '' };
  const parts = library.split('/');
  return { name: parts.at(-1) ?? '', library: parts.at(-2) ?? '' };
}

/** Returns the type of a field for messages. `struct` is the name of its type if it is an object. */
export function wantedType(schema: Schema, struct: string, version: string): string {
  const { type, format, items, additionalProperties: values } = schema;
  const shared = namedType(schema['x-kindforge-type'] ?? schema['x-kindforge-within']);
  if (type === 'string' && format === 'byte') return '[]uint8';
  if (type === 'array') return `[]${items === undefined ? 'interface {}' : wantedType(items, struct, version)}`;
  if (shared !== undefined) return `${shared.library || version}.${shared.name}`;
  if (schema['x-kubernetes-int-or-string'] === true) return 'intstr.IntOrString';
  if (type === 'integer') return format ?? 'int64';
  if (type === undefined || schema['x-kubernetes-preserve-unknown-fields'] === true) return 'map[string]interface {}';
  if (typeof values === 'object') return `map[string]${wantedType(values, struct, version)}`;
  return values === true ? 'map[string]interface {}' : (scalars[type] ?? `${version}.${struct}`);
}
