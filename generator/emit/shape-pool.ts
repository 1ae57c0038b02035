/** Keeps the shapes of one file: a shape that was seen before is the same shape again. */
import type { JsonValue } from '../../runtime/contract/index.js';
import { quote } from './literal.js';
import { type Member, renderType, type Shape, type TypeNames, type TypeNode } from './type-nodes.js';

/** Unions longer than this, in characters, get a name of their own. */
const LONGEST_UNION = 72;

/**
 * Makes types whose equal shapes are one. Equal means equal in all that the printed type shows, but that a member with
 * a comment goes together with one without.
 */
export interface ShapePool {
  readonly object: (members: readonly Member[], open: boolean) => TypeNode;
  /** A union of literals; `undefined` where a value is none that a literal type can say. */
  readonly union: (values: readonly JsonValue[]) => TypeNode | undefined;
  /** The apply form of an object type, in which these members have other types. */
  readonly apply: (plain: TypeNode, changed: readonly Member[]) => TypeNode;
}

/** Shapes that have no names yet are told apart by number. */
const NUMBERS: TypeNames = {
  ofShape: (shape) => `#${shape.id}`,
  ofShared: (name, apply) => `${apply ? '~' : '@'}${name}`,
};

/** All that makes two members one type: everything but the comment. */
const memberKey = ({ name, optional, type }: Member): string =>
  `${quote(name)}${optional ? '?' : ''}: ${renderType(type, NUMBERS)}\n`;

const literalText = (value: JsonValue): string | undefined => {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  return typeof value === 'bigint' ? 'number' : undefined;
};

/** Comments of equal types: those of the one where the other has none; `undefined` where they contradict each other. */
const joinDocs = (first: readonly string[], second: readonly string[]): readonly string[] | undefined => {
  const compatible = first.every((doc, index) => doc === '' || second[index] === '' || second[index] === doc);
  return compatible ? first.map((doc, index) => doc || (second[index] ?? '')) : undefined;
};

/** A pool without shapes. */
export const createShapePool = (): ShapePool => {
  const shapes = new Map<string, Shape[]>();
  let count = 0;

  /** The shape with this key whose comments go together with the given ones, or a new one. */
  const intern = (key: string, docs: readonly string[], create: (id: number) => Shape): TypeNode => {
    const candidates = shapes.get(key) ?? [];
    for (const shape of candidates) {
      const joined = joinDocs(shape.docs, docs);
      if (joined === undefined) continue;
      shape.docs = joined;
      return { kind: 'shape', shape };
    }
    const shape = create(count++);
    shapes.set(key, [...candidates, shape]);
    return { kind: 'shape', shape };
  };

  const keyOf = (members: readonly Member[]): string => members.map(memberKey).join('');
  const docsOf = (members: readonly Member[]): readonly string[] => members.map(({ doc }) => doc);

  return {
    object: (members, open) =>
      intern(`${open ? 'open' : 'object'}\n${keyOf(members)}`, docsOf(members), (id) => ({
        kind: 'object',
        id,
        members,
        docs: docsOf(members),
        open,
      })),

    union: (values) => {
      const literals = [...new Set(values.filter((value) => value !== null).map(literalText))];
      const texts = literals.filter((literal) => literal !== undefined);
      if (texts.length === 0 || texts.length < literals.length) return undefined;
      const line = texts.join(' | ');
      if (texts.length === 1 || line.length <= LONGEST_UNION) {
        return { kind: 'text', text: line, union: texts.length > 1 };
      }
      return intern(`union\n${line}`, [], (id) => ({ kind: 'union', id, literals: texts, docs: [] }));
    },

    apply: (plain, changed) => {
      if (plain.kind !== 'shape' || plain.shape.kind !== 'object') return plain;
      if (changed.length === 0) return { kind: 'partial', of: plain };
      const base = plain.shape;
      const docs = docsOf(changed);
      return intern(`apply #${base.id}\n${keyOf(changed)}`, docs, (id) => ({ kind: 'apply', id, base, changed, docs }));
    },
  };
};
