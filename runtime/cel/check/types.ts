/** Types as the checker knows them. */

export type Type =
  | { readonly kind: SimpleKind }
  | { readonly kind: 'list'; readonly element: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  /** The type of types; `of` is the type, if known. */
  | { readonly kind: 'type'; readonly of?: Type }
  /** An object with named fields, which the environment knows by this name. */
  | { readonly kind: 'object'; readonly name: string }
  /** A type of a library: `optional_type`, `kubernetes.URL` and so on. */
  | { readonly kind: 'opaque'; readonly name: string; readonly params: readonly Type[] }
  /** A simple type or null. */
  | { readonly kind: 'wrapper'; readonly of: Type }
  /** Stands for one type, the same everywhere in a signature. */
  | { readonly kind: 'param'; readonly name: string };

export type SimpleKind =
  | 'dyn'
  | 'any'
  | 'error'
  /** The type of an undeclared member call in release 1.27. */
  | 'none'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration';

export const dyn: Type = { kind: 'dyn' };
export const errorType: Type = { kind: 'error' };
export const noType: Type = { kind: 'none' };
export const nullType: Type = { kind: 'null' };
export const bool: Type = { kind: 'bool' };
export const int: Type = { kind: 'int' };
export const uint: Type = { kind: 'uint' };
export const double: Type = { kind: 'double' };
export const string: Type = { kind: 'string' };
export const bytes: Type = { kind: 'bytes' };
export const timestamp: Type = { kind: 'timestamp' };
export const duration: Type = { kind: 'duration' };
export const typeType: Type = { kind: 'type' };

export const list = (element: Type): Type => ({ kind: 'list', element });
export const map = (key: Type, value: Type): Type => ({ kind: 'map', key, value });
export const typeOf = (of: Type): Type => ({ kind: 'type', of });
export const object = (name: string): Type => ({ kind: 'object', name });
export const opaque = (name: string, ...params: readonly Type[]): Type => ({ kind: 'opaque', name, params });
export const optional = (of: Type): Type => opaque('optional_type', of);
export const param = (name: string): Type => ({ kind: 'param', name });

/** Returns a type as messages write it: `map(string, list(int))`. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list(${formatType(type.element)})`;
    case 'map':
      return `map(${formatType(type.key)}, ${formatType(type.value)})`;
    case 'type':
      return type.of === undefined ? 'type' : `type(${formatType(type.of)})`;
    case 'object':
    case 'param':
      return type.name;
    case 'opaque':
      return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(formatType).join(', ')})`;
    case 'wrapper':
      return `wrapper(${formatType(type.of)})`;
    case 'error':
      return '!error!';
    case 'none':
      return '<nil>';
    default:
      return type.kind;
  }
}

export function isDyn(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'any';
}

export function isDynOrError(type: Type): boolean {
  return isDyn(type) || type.kind === 'error';
}

/** Returns the types inside a type. */
export function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'list':
      return [type.element];
    case 'map':
      return [type.key, type.value];
    case 'opaque':
      return type.params;
    case 'type':
      return type.of === undefined ? [] : [type.of];
    case 'wrapper':
      return [type.of];
    default:
      return [];
  }
}

/** Returns the same type with other types inside. */
export function withParts(type: Type, change: (part: Type) => Type): Type {
  switch (type.kind) {
    case 'list':
      return list(change(type.element));
    case 'map':
      return map(change(type.key), change(type.value));
    case 'opaque':
      return opaque(type.name, ...type.params.map(change));
    case 'type':
      return type.of === undefined ? type : typeOf(change(type.of));
    default:
      return type;
  }
}

export function sameType(a: Type, b: Type): boolean {
  if (a.kind !== b.kind) return false;
  if ('name' in a && 'name' in b && a.name !== b.name) return false;
  const left = partsOf(a);
  const right = partsOf(b);
  return left.length === right.length && left.every((part, i) => sameType(part, right[i] ?? errorType));
}
