/** Keeps the shapes of one file. Equal shapes are one. */
import type { JsonValue } from '../../../runtime/contract/index.js';
import { isInt64 } from '../../../runtime/schema/engine/value.js';
import { quote } from '../source/literal.js';
import {
  type Member,
  partsOf,
  renderType,
  type Shape,
  type ShapeNode,
  type TypeNames,
  type TypeNode,
} from './type-nodes.js';

/** Longer unions, in characters, get a name of their own. */
const LONGEST_UNION = 72;

/** Makes types, and reuses equal shapes. */
export interface ShapePool {
  readonly object: (members: readonly Member[], open: boolean) => TypeNode;
  /** Returns a union of literals; `undefined` if a literal type cannot express a value. */
  readonly union: (values: readonly JsonValue[]) => TypeNode | undefined;
  /** Returns the apply form of an object type, with other types for these members. */
  readonly apply: (plain: TypeNode, changed: readonly Member[]) => TypeNode;
  /**
   * Merges shapes. Call it once all types are built. Before, shapes are only equal if their comments are equal. After,
   * a shape without descriptions becomes the first equal one with descriptions.
   */
  readonly settle: () => void;
}

const namesBy = (key: 'id' | 'structure'): TypeNames => ({
  ofShape: (shape) => `#${shape[key]}`,
  ofShared: (name, apply) => `${apply ? '~' : '@'}${name}`,
});

const BY_ID = namesBy('id');
const BY_STRUCTURE = namesBy('structure');

/** The members that every shape in the pool has. */
type Identity = Pick<Shape, 'id' | 'structure' | 'described'>;

/** Creates an empty pool. */
export const createShapePool = (): ShapePool => {
  const nodes = new Map<string, ShapeNode>();
  const structures = new Map<string, number>();

  const structureOf = (key: string): number => {
    const structure = structures.get(key) ?? structures.size;
    structures.set(key, structure);
    return structure;
  };

  const intern = (
    start: string,
    structureStart: string,
    members: readonly Member[],
    create: (identity: Identity) => Shape,
  ): ShapeNode => {
    const key = start + members.map(fullKey).join('');
    const known = nodes.get(key);
    if (known !== undefined) return known;
    const structure = structureOf(structureStart + members.map(structureKey).join(''));
    const node: ShapeNode = {
      kind: 'shape',
      shape: create({ id: nodes.size, structure, described: members.some(isDescribed) }),
    };
    nodes.set(key, node);
    return node;
  };

  const object: ShapePool['object'] = (members, open) => {
    const start = open ? 'open\n' : 'object\n';
    return intern(start, start, members, (identity) => ({ ...identity, kind: 'object', members, open }));
  };

  const union: ShapePool['union'] = (values) => {
    const all = [...new Set(values.filter((value) => value !== null).map(literalText))];
    const literals = all.filter((literal) => literal !== undefined);
    if (literals.length === 0 || literals.length < all.length) return undefined;
    const line = literals.join(' | ');
    if (literals.length === 1 || line.length <= LONGEST_UNION) {
      return { kind: 'text', text: line, union: literals.length > 1 };
    }
    return intern(`union\n${line}`, `union\n${line}`, [], (identity) => ({ ...identity, kind: 'union', literals }));
  };

  const apply: ShapePool['apply'] = (plain, changed) => {
    if (plain.kind !== 'shape') return plain;
    if (changed.length === 0) return { kind: 'partial', of: plain };
    const { id, structure, described } = plain.shape;
    return intern(`apply ${id}\n`, `apply ${structure}\n`, changed, (identity) => ({
      ...identity,
      kind: 'apply',
      described: described || identity.described,
      base: plain,
      changed,
    }));
  };

  const settle = (): void => {
    const described = new Map<number, Shape>();
    for (const { shape } of nodes.values()) {
      if (shape.described && !described.has(shape.structure)) described.set(shape.structure, shape);
    }
    for (const node of nodes.values()) {
      if (!node.shape.described) node.shape = described.get(node.shape.structure) ?? node.shape;
    }
  };

  return { object, union, apply, settle };
};

const fullKey = ({ name, optional, type, doc }: Member): string =>
  `${quote(name)}${optional ? '?' : ''}: ${renderType(type, BY_ID)}\n${doc}\n`;

const structureKey = ({ name, optional, type, tags = '' }: Member): string =>
  `${quote(name)}${optional ? '?' : ''}: ${renderType(type, BY_STRUCTURE)}\n${tags}\n`;

const mentionsDescribed = (node: TypeNode): boolean =>
  node.kind === 'shape' ? node.shape.described : partsOf(node).some(mentionsDescribed);

const isDescribed = ({ doc, tags = '', type }: Member): boolean => doc !== tags || mentionsDescribed(type);

/** Returns a value as clients read it: integers beyond 2^53 are exact, integers beyond 64 bits are floats. */
const literalText = (value: JsonValue): string | undefined => {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (typeof value !== 'bigint') return undefined;
  return isInt64(value) ? `${value}n` : String(Number(value));
};
