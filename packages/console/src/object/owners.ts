/** Shows the owners of an object and its dependents as the lines of an indented tree. */
import type { ApiObjectLike, OwnerReference, ServedKind } from 'kindforge/client';

/** An object with only its metadata, and its kind. */
export interface Known {
  readonly kind: ServedKind;
  readonly object: ApiObjectLike;
}

export interface OwnerLine {
  readonly id: string;
  readonly depth: number;
  readonly kindName: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly relation: 'owner' | 'this' | 'dependent';
  /** Whether the line above controls it, or it controls this object. */
  readonly isController: boolean;
  /** Absent if the server does not serve the kind, or the user may not see it. */
  readonly kind: ServedKind | undefined;
  /** Absent if the owner could not be read: it is gone, or the user may not see it. */
  readonly object: ApiObjectLike | undefined;
}

/** Returns the kinds that may have dependents: all listable kinds, each once, without events. */
export function kindsToSearch(kinds: readonly ServedKind[]): readonly ServedKind[] {
  const best = new Map<string, ServedKind>();
  for (const kind of kinds) {
    if (!kind.verbs.includes('list') || kind.plural === 'events') continue;
    const place = `${kind.group}/${kind.plural}`;
    const known = best.get(place);
    if (!known || (kind.isPreferred && !known.isPreferred)) best.set(place, kind);
  }
  return [...best.values()];
}

/**
 * Returns the tree: the owners above the object, the outermost first, then the object, then all dependents below it. An
 * object that is its own ancestor is shown once.
 */
export function ownerLines(self: Known, owners: readonly Owner[], others: readonly Known[]): readonly OwnerLine[] {
  const above = [...owners].reverse();
  const depthOf = new Map([...new Set(above.map(({ level }) => level))].map((level, depth) => [level, depth]));
  const lines: OwnerLine[] = above.map(({ level, reference, known, namespace }) => ({
    id: reference.uid,
    depth: depthOf.get(level) ?? 0,
    kindName: reference.kind,
    name: reference.name,
    namespace: known?.object.metadata.namespace ?? (known?.kind.scope === 'Cluster' ? undefined : namespace),
    relation: 'owner',
    isController: reference.controller === true,
    kind: known?.kind,
    object: known?.object,
  }));
  addDependents(self, depthOf.size, dependentsByOwner(others), lines, new Set(), 'this');
  return lines;
}

/** An owner that was looked up. */
export interface Owner {
  /** 1 for owners of the object, 2 for owners of these. */
  readonly level: number;
  readonly reference: OwnerReference;
  readonly namespace: string | undefined;
  readonly known: Known | undefined;
}

/** Looks up the owners of an object and theirs. `find` resolves to `undefined` for an object that cannot be read. */
export async function findOwners(
  object: ApiObjectLike,
  find: (reference: OwnerReference, namespace: string | undefined) => Promise<Known | undefined>,
): Promise<readonly Owner[]> {
  const found: Owner[] = [];
  const seen = new Set([object.metadata.uid]);
  let level = [object];
  for (let depth = 1; level.length > 0 && depth <= deepest; depth++) {
    const references = level.flatMap(({ metadata }) =>
      (metadata.ownerReferences ?? []).map((reference) => ({ reference, namespace: metadata.namespace })),
    );
    const fresh = references.filter(({ reference: { uid } }) => !seen.has(uid) && seen.add(uid)).slice(0, widest);
    const owners = await Promise.all(
      fresh.map(async ({ reference, namespace }) => {
        const known = await find(reference, namespace);
        // Another object may have the name of an owner that is gone.
        return {
          level: depth,
          reference,
          namespace,
          known: known?.object.metadata.uid === reference.uid ? known : undefined,
        };
      }),
    );
    found.push(...owners);
    level = owners.flatMap(({ known }) => (known ? [known.object] : []));
  }
  return found;
}

/** Limits of the search: levels of owners, and owners of one level. */
const deepest = 10;
const widest = 50;

function dependentsByOwner(others: readonly Known[]): ReadonlyMap<string, readonly Known[]> {
  const byOwner = new Map<string, Known[]>();
  for (const known of others)
    for (const { uid } of known.object.metadata.ownerReferences ?? []) {
      const list = byOwner.get(uid);
      if (list) list.push(known);
      else byOwner.set(uid, [known]);
    }
  return byOwner;
}

function addDependents(
  { kind, object }: Known,
  depth: number,
  byOwner: ReadonlyMap<string, readonly Known[]>,
  lines: OwnerLine[],
  seen: Set<string>,
  relation: 'this' | 'dependent',
  isController = false,
): void {
  const { uid = '', name = '', namespace } = object.metadata;
  if (seen.has(uid)) return;
  seen.add(uid);
  lines.push({ id: uid, depth, kindName: kind.kind, name, namespace, relation, isController, kind, object });
  for (const dependent of byOwner.get(uid) ?? []) {
    const reference = dependent.object.metadata.ownerReferences?.find((each) => each.uid === uid);
    addDependents(dependent, depth + 1, byOwner, lines, seen, 'dependent', reference?.controller === true);
  }
}
