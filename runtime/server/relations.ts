/**
 * The relations of a running server, for its controllers: deletes that affect other objects, and objects that break a
 * relation.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiObject, ObjectReference, ResourceModule, Store } from '../contract/index.js';
import type { Registry } from '../registry/registry.js';
import { defineRelationTable } from '../registry/relation-table.js';
import { type FoundName, nameReader, type RelationTable, relationsOf } from '../resource/relations.js';
import { hasRelations, keyOf, type ServedResource } from '../resource/served-resource.js';
import { readAs } from '../resource/versions.js';
import { relationIndex } from '../write/relation-claims.js';

/** A reference by which the delete of an object deletes or clears others. */
export interface DeletingReference {
  /** The named kind. A delete of its objects affects the other kind. */
  readonly target: ResourceModule;
  /** The kind that has the field. */
  readonly from: ResourceModule;
  readonly reference: ObjectReference;
  /** Returns the names in an object. */
  readonly namesIn: (object: ApiObject) => readonly FoundName[];
}

/** Returns the references that delete or clear. All kinds are in their stored versions. */
export function deletingReferences(registry: Pick<Registry, 'resources'>): readonly DeletingReference[] {
  const table = defineRelationTable(registry);
  return storedKinds(registry).flatMap((target) =>
    table
      .incoming(target)
      .filter(({ reference: { onDelete } }) => onDelete !== 'refuse')
      .map(({ from, reference }) => ({
        target: target.module,
        from: from.module,
        reference,
        namesIn: nameReader(reference),
      })),
  );
}

/** Returns references to kinds that a server does not have, as in `hosts.example.com: spec.zone: Zone.example.com`. */
export function danglingReferences(registry: Pick<Registry, 'resources'>): readonly string[] {
  const table = defineRelationTable(registry);
  return storedKinds(registry).flatMap(({ groupResource, module: { references = [] } }) =>
    references
      .filter((reference) => table.target(reference) === undefined)
      .map(({ field, kind, group }) => `${groupResource}: ${field}: ${kind}${group === '' ? '' : `.${group}`}`),
  );
}

/** Returns the kinds with relations, in their stored versions. */
export const relatedKinds = (registry: Pick<Registry, 'resources'>): readonly ResourceModule[] =>
  storedKinds(registry)
    .filter(hasRelations)
    .map(({ module }) => module);

const storedKinds = ({ resources }: Pick<Registry, 'resources'>): readonly ServedResource[] => [
  ...new Set(resources.map(({ stored }) => stored)),
];

/** The stored objects of one kind that break its relations. */
export interface RelationOffenders {
  readonly module: ResourceModule;
  readonly count: number;
  /** The first of them, each with a reason. */
  readonly examples: readonly string[];
}

/** Examples of a kind. */
const EXAMPLES = 3;

/** Milliseconds of work, and of the pause after it: requests come first. */
const WORK_MS = 5;
const REST_MS = 20;

/** Finds the objects that break relations, kind by kind. Such objects were stored before the relation existed. */
export async function findRelationOffenders(
  registry: Pick<Registry, 'resources'>,
  store: Store,
  signal: AbortSignal,
): Promise<readonly RelationOffenders[]> {
  const table = defineRelationTable(registry);
  const found: RelationOffenders[] = [];
  for (const stored of storedKinds(registry).filter(hasRelations)) {
    await stored.ready();
    let count = 0;
    const examples: string[] = [];
    let began = performance.now();
    const index = relationIndex(store, table, stored);
    const keys = [...index.all()].flatMap(([value, holders]) => [...holders].map((key) => ({ value, key, holders })));
    for (const { value, key, holders } of keys) {
      const [first] = holders;
      const problem = first === key || holders.size < 2 ? undefined : repeated(store, stored, value, key, first);
      const reason = problem ?? missing(store, table, stored, value, key);
      if (reason !== undefined && ++count <= EXAMPLES)
        examples.push(`${key.slice(stored.keyPrefix.length)}: ${reason}`);
      if (performance.now() - began < WORK_MS) continue;
      await sleep(REST_MS, undefined, { ref: false });
      if (signal.aborted) return found;
      began = performance.now();
    }
    if (count > 0) found.push({ module: stored.module, count, examples });
  }
  return found;
}

function repeated(store: Store, stored: ServedResource, value: string, key: string, first = ''): string | undefined {
  const entry = store.get(key);
  const all = entry ? relationsOf(stored).valuesIn(readAs(stored, entry)) : [];
  const same = all.find((each) => each.key === value);
  return same && `${same.rule.fields.join(', ')}: ${first.slice(stored.keyPrefix.length)} has the same value`;
}

function missing(
  store: Store,
  table: RelationTable,
  stored: ServedResource,
  value: string,
  key: string,
): string | undefined {
  if (!value.startsWith('name ')) return undefined;
  const entry = store.get(key);
  for (const found of entry ? relationsOf(stored).namesIn(readAs(stored, entry)) : []) {
    const target = table.target(found.reference);
    const namespace = target?.module.scope === 'Cluster' ? '' : found.namespace;
    if (target && store.get(keyOf(target, namespace, found.name)) === undefined && value.endsWith(`/${found.name}`))
      return `${found.field}: there is no ${found.reference.kind} ${JSON.stringify(found.name)}`;
  }
  return undefined;
}
