/** Rules on references between definitions: their kinds must exist and fit, and must not need each other. */

import type { ObjectReference, Schema } from '../../runtime/contract/index.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { parsePath } from '../../runtime/schema/index.js';
import type { Path, Problem } from '../diagnostics/problem.js';
import { storedVersion } from '../model/conversion.js';
import type { ResourceModel } from '../model/model.js';

/** The kinds of all definitions of a folder. */
export interface KnownKinds {
  find(group: string, kind: string): ResourceModel | undefined;
  /** Returns the kinds of a group; empty if the group has no definitions. */
  kindsOf(group: string): readonly string[];
}

/** Indexes resources by group and kind. */
export function knownKinds(resources: readonly ResourceModel[]): KnownKinds {
  const byName = new Map(resources.map((resource) => [`${resource.group}/${resource.names.kind}`, resource]));
  return {
    find: (group, kind) => byName.get(`${group}/${kind}`),
    kindsOf: (group) => resources.filter((each) => each.group === group).map(({ names }) => names.kind),
  };
}

/** Finds mistakes in the references of a resource. Does not check kinds of groups without definitions: servers do. */
export function checkReferenceTargets(resource: ResourceModel, known: KnownKinds): readonly Problem[] {
  return (resource.references ?? []).flatMap((reference, index): readonly Problem[] => {
    const path = ['spec', 'references', index];
    const target = known.find(reference.group, reference.kind);
    if (target === undefined) return missing(reference, path, known);
    const unfit = unfitTarget(resource, reference, target);
    if (unfit) return [{ code: 'KF4047', path: [...path, unfit.key], message: unfit.message }];
    return circles.flatMap((circle) => closedBy(circle, resource, reference, known, path));
  });
}

function missing({ group, kind }: ObjectReference, path: Path, known: KnownKinds): readonly Problem[] {
  const kinds = known.kindsOf(group);
  if (kinds.length === 0) return [];
  const message = `no definition of group "${group}" has kind ${kind}`;
  return [{ code: 'KF4047', path: [...path, 'kind'], message, suggestion: didYouMean(kind, kinds) }];
}

function unfitTarget(
  resource: ResourceModel,
  { namespaceField }: ObjectReference,
  { scope, virtual, names: { kind } }: ResourceModel,
): { readonly key: 'kind' | 'namespaceField'; readonly message: string } | undefined {
  if (virtual) return { key: 'kind', message: `no objects of ${kind} are stored` };
  if (scope === 'Cluster' && namespaceField !== undefined)
    return { key: 'namespaceField', message: `objects of ${kind} are not in namespaces` };
  if (scope === 'Namespaced' && resource.scope === 'Cluster' && namespaceField === undefined) {
    const message = `objects of ${kind} are in namespaces, but ${resource.names.kind} is not: name the namespace by \`namespaceField\``;
    return { key: 'kind', message };
  }
  return undefined;
}

/** A kind of reference that must not lead back to its start. */
interface Circle {
  readonly isPart: (resource: ResourceModel, reference: ObjectReference) => boolean;
  readonly key: 'field' | 'onDelete';
  readonly message: (path: string) => string;
  readonly suggestion: string;
}

const circles: readonly Circle[] = [
  {
    isPart: isRequired,
    key: 'field',
    message: (path) => `${path} need each other, so none can be created first`,
    suggestion: 'leave the field out of `required`',
  },
  {
    isPart: (_resource, { onDelete }) => onDelete === 'cascade',
    key: 'onDelete',
    message: (path) => `a delete of one would delete the others, and itself again: ${path}`,
    suggestion: 'choose refuse or clear',
  },
];

function closedBy(
  { isPart, key, message, suggestion }: Circle,
  resource: ResourceModel,
  reference: ObjectReference,
  known: KnownKinds,
  path: Path,
): readonly Problem[] {
  if (!isPart(resource, reference)) return [];
  const way = wayBack(resource, reference, known, isPart);
  if (way === undefined) return [];
  return [{ code: 'KF4048', path: [...path, key], message: message(way.join(' → ')), suggestion }];
}

/** Returns the kinds on the shortest way along references from a resource to itself that starts with this reference. */
function wayBack(
  resource: ResourceModel,
  reference: ObjectReference,
  known: KnownKinds,
  isPart: Circle['isPart'],
): readonly string[] | undefined {
  const first = known.find(reference.group, reference.kind);
  const waiting: { readonly at: ResourceModel | undefined; readonly way: readonly string[] }[] = [
    { at: first, way: [resource.names.kind, reference.kind] },
  ];
  const seen = new Set<ResourceModel>();
  for (const { at, way } of waiting) {
    if (at === resource) return way;
    if (at === undefined || seen.has(at)) continue;
    seen.add(at);
    for (const next of at.references ?? []) {
      if (isPart(at, next)) waiting.push({ at: known.find(next.group, next.kind), way: [...way, next.kind] });
    }
  }
  return undefined;
}

/** Returns whether every object has the field of a reference. */
function isRequired(resource: ResourceModel, { field }: ObjectReference): boolean {
  let node: Schema | undefined = storedVersion(resource)?.schema;
  for (const segment of parsePath(field) ?? []) {
    if (segment === 'each' || !node?.required?.includes(segment.key)) return false;
    node = node.properties?.[segment.key];
  }
  return true;
}
