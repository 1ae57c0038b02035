/** Names each shape of a file after the shallowest path that leads to it. The first shape to use a name keeps it. */
import { type NameScope, pathNames } from '../source/name-scope.js';
import { toPascal, toSingular, wordsOf } from '../source/naming.js';
import { membersOf, partsOf, type Shape, type TypeNode } from './type-nodes.js';

/** A type expression at a place. */
interface PlacedType {
  readonly node: TypeNode;
  /** Segments in Pascal case, below the owner. */
  readonly path: readonly string[];
  /** The path as people write it: `spec.tokenRequests[]`. */
  readonly text: string;
  readonly owner: string;
}

/** The start of a walk: a type expression and its name. */
export interface Root {
  readonly node: TypeNode;
  readonly name: string;
}

/** A shape's name. */
export interface NamedShape {
  readonly name: string;
  /** Its place, as `Pod` and `spec.containers[]`; absent for roots, which are declared separately. */
  readonly place?: { readonly owner: string; readonly path: string };
}

/**
 * Names all object types and unions below the roots. Shapes with a name keep it; a root shape without one gets the
 * root's name.
 */
export const nameShapes = (roots: readonly Root[], scope: NameScope, named: Map<Shape, NamedShape>): void => {
  const common = commonSegments(roots);
  let level: PlacedType[] = [];
  const visited = new Set<Shape>();
  for (const { node, name } of roots) {
    if (node.kind === 'shape' && !named.has(node.shape)) named.set(node.shape, { name });
    level.push({ node, path: [], text: '', owner: name });
  }
  while (level.length > 0) {
    const next: PlacedType[] = [];
    for (const place of level) {
      const { node } = place;
      if (node.kind === 'array' || node.kind === 'map') {
        level.push(...partsOf(node).map((part) => inItems(place, part)));
      } else if (node.kind !== 'shape') {
        level.push(...partsOf(node).map((part) => ({ ...place, node: part })));
      } else if (!visited.has(node.shape)) {
        visited.add(node.shape);
        if (!named.has(node.shape)) {
          const last = common.get(node.shape) || (place.path.at(-1) ?? '');
          const names = pathNames(place.owner, [...place.path.slice(0, -1), last]);
          const found = { owner: place.owner, path: place.text };
          named.set(node.shape, { name: scope.choose(names), place: found });
        }
        next.push(...inMembers(place, node.shape));
      }
    }
    level = next;
  }
};

/** Returns the words that all names end in; empty if they have none in common. */
const commonEnding = (names: readonly string[]): string => {
  const [first = [], ...others] = names.map((name) => [...wordsOf(name)].reverse());
  const same = first.findIndex((word, index) => others.some((words) => words[index] !== word));
  return first
    .slice(0, same < 0 ? first.length : same)
    .reverse()
    .join('');
};

/** Returns the words that the names of all members with a shape share: `livenessProbe`, `startupProbe` → `Probe`. */
const commonSegments = (roots: readonly Root[]): ReadonlyMap<Shape, string> => {
  const segments = new Map<Shape, Set<string>>();
  const visitType = (node: TypeNode, segment: string): void => {
    if (node.kind === 'shape') visitShape(node.shape, segment);
    else for (const part of partsOf(node)) visitType(part, node.kind === 'nullable' ? segment : toSingular(segment));
  };
  const visitShape = (shape: Shape, segment: string): void => {
    const known = segments.get(shape);
    if (known !== undefined) known.add(segment);
    else {
      segments.set(shape, new Set([segment]));
      for (const { name, type } of membersOf(shape)) visitType(type, toPascal(name));
    }
  };
  for (const { node } of roots) visitType(node, '');
  return new Map([...segments].map(([shape, names]) => [shape, commonEnding([...names])]));
};

const inItems = (place: PlacedType, node: TypeNode): PlacedType => {
  const last = place.path.at(-1) ?? '';
  const singular = toSingular(last);
  const path =
    singular === last && place.text.endsWith(']') ? [...place.path, 'Item'] : [...place.path.slice(0, -1), singular];
  return { ...place, node, path, text: `${place.text}${place.node.kind === 'map' ? '[key]' : '[]'}` };
};

const inMembers = (place: PlacedType, shape: Shape): PlacedType[] =>
  membersOf(shape).map(({ name, type }) => ({
    node: type,
    path: [...place.path, toPascal(name)],
    text: place.text === '' ? name : `${place.text}.${name}`,
    owner: place.owner,
  }));

/** Names the apply forms below the roots, each after its plain form. */
export const nameApplyShapes = (roots: readonly TypeNode[], scope: NameScope, named: Map<Shape, NamedShape>): void => {
  const visited = new Set<Shape>();
  const visit = (node: TypeNode): void => {
    if (node.kind !== 'shape') {
      partsOf(node).forEach(visit);
      return;
    }
    if (node.shape.kind !== 'apply' || visited.has(node.shape)) return;
    visited.add(node.shape);
    const base = named.get(node.shape.base.shape);
    if (base !== undefined && !named.has(node.shape)) {
      const place = base.place ?? { owner: base.name, path: '' };
      named.set(node.shape, { name: scope.choose([`${base.name}ApplyConfiguration`]), place });
    }
    for (const member of node.shape.changed) visit(member.type);
  };
  roots.forEach(visit);
};
