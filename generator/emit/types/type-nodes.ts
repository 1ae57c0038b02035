/** TypeScript types as data, before their shapes have names. */
import { quote } from '../source/literal.js';

/** A type expression. */
export type TypeNode =
  /** Printed without change: `string`, `unknown`, `'a' | 'b'`. */
  | { readonly kind: 'text'; readonly text: string; readonly union?: boolean }
  /** A name that `kindforge/client` exports. */
  | { readonly kind: 'client'; readonly name: ClientType }
  /** The name of an object of a kind. */
  | { readonly kind: 'reference'; readonly to: string }
  | ShapeNode
  /** A type of a type library; `apply` asks for its apply form. */
  | { readonly kind: 'shared'; readonly name: string; readonly apply: boolean }
  | { readonly kind: 'array'; readonly items: TypeNode }
  | { readonly kind: 'map'; readonly values: TypeNode }
  | { readonly kind: 'nullable'; readonly of: TypeNode }
  /** All members optional. */
  | { readonly kind: 'partial'; readonly of: TypeNode }
  /** An apply form with the members of its plain form that identify list items. */
  | { readonly kind: 'keyed'; readonly of: TypeNode; readonly plain: TypeNode; readonly keys: readonly string[] };

export type ClientType = 'ObjectMeta' | 'ListMeta' | 'ApplyObjectMeta' | 'Reference';

/** A shape at a place. A shape without comments may be replaced by an equal one with comments. */
export interface ShapeNode {
  readonly kind: 'shape';
  shape: Shape;
}

/** One property of an interface. */
export interface Member {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeNode;
  /** JSDoc text; empty if there is none. */
  readonly doc: string;
  /** The part of the text that follows from the schema's bounds. The rest is the description. */
  readonly tags?: string;
}

/**
 * A type that needs a name: an object type, a long union, or the apply form of an object type. Equal shapes are one.
 */
export type Shape = ObjectShape | UnionShape | ApplyShape;

interface ShapeBase {
  /** Identifies the shape among all shapes of its file. */
  readonly id: number;
  /** The same key without descriptions. */
  readonly structure: number;
  /** Whether it, or a shape that it refers to, has descriptions. */
  readonly described: boolean;
}

export interface ObjectShape extends ShapeBase {
  readonly kind: 'object';
  readonly members: readonly Member[];
  /** Whether it keeps fields other than the members. */
  readonly open: boolean;
}

export interface UnionShape extends ShapeBase {
  readonly kind: 'union';
  /** Printed literals. */
  readonly literals: readonly string[];
}

export interface ApplyShape extends ShapeBase {
  readonly kind: 'apply';
  /** The plain form; all its members become optional. */
  readonly base: ShapeNode;
  /** The members with another type than in the base. */
  readonly changed: readonly Member[];
}

/** Names for the parts of a type expression. */
export interface TypeNames {
  readonly ofShape: (shape: Shape) => string;
  readonly ofShared: (name: string, apply: boolean) => string;
}

/** Prints a type expression. */
export const renderType = (node: TypeNode, names: TypeNames): string => {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'client':
      return node.name;
    case 'reference':
      return `Reference<${quote(node.to)}>`;
    case 'shape':
      return names.ofShape(node.shape);
    case 'shared':
      return names.ofShared(node.name, node.apply);
    case 'array':
      return isCompound(node.items) ? `(${renderType(node.items, names)})[]` : `${renderType(node.items, names)}[]`;
    case 'map':
      return `Record<string, ${renderType(node.values, names)}>`;
    case 'nullable':
      return node.of.kind === 'keyed'
        ? `(${renderType(node.of, names)}) | null`
        : `${renderType(node.of, names)} | null`;
    case 'partial':
      return `Partial<${renderType(node.of, names)}>`;
    case 'keyed': {
      const keys = node.keys.map(quote).join(' | ');
      return `${renderType(node.of, names)} & Pick<${renderType(node.plain, names)}, ${keys}>`;
    }
  }
};

const isCompound = (node: TypeNode): boolean =>
  (node.kind === 'text' && node.union === true) || node.kind === 'nullable' || node.kind === 'keyed';

/** Returns the parts of a type expression, one level down. */
export const partsOf = (node: TypeNode): readonly TypeNode[] => {
  switch (node.kind) {
    case 'array':
      return [node.items];
    case 'map':
      return [node.values];
    case 'nullable':
    case 'partial':
      return [node.of];
    case 'keyed':
      return [node.of, node.plain];
    default:
      return [];
  }
};

/** Returns the members that a shape declares. */
export const membersOf = (shape: Shape): readonly Member[] => {
  if (shape.kind === 'union') return [];
  return shape.kind === 'object' ? shape.members : shape.changed;
};
