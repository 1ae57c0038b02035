/** Finds the kinds that references connect. */
import type { ObjectReference } from '../contract/index.js';
import { memoizeByObject } from '../objects/memoize.js';
import type { IncomingReference, RelationTable } from '../resource/relations.js';
import type { ServedResource } from '../resource/served-resource.js';
import type { Registry } from './registry.js';

/** Returns the relations of a registry, also after it changes. */
export const defineRelationTable = (registry: Pick<Registry, 'resources'>): RelationTable => ({
  target: ({ group, kind }) => connectionsOf(registry.resources).byKind.get(`${group}/${kind}`),
  incoming: (stored) => connectionsOf(registry.resources).incoming.get(stored) ?? none,
});

const none: readonly IncomingReference[] = [];

interface Connections {
  readonly byKind: ReadonlyMap<string, ServedResource>;
  readonly incoming: ReadonlyMap<ServedResource, readonly IncomingReference[]>;
}

/** Remembered by array, because the registry makes a new array after each change. */
const connectionsOf = memoizeByObject((resources: readonly ServedResource[]): Connections => {
  const byKind = new Map<string, ServedResource>();
  for (const { module, stored } of resources) byKind.set(`${module.group}/${module.names.kind}`, stored);
  const incoming = new Map<ServedResource, IncomingReference[]>();
  for (const from of new Set(byKind.values())) {
    for (const reference of from.module.references ?? []) {
      const target = byKind.get(kindName(reference));
      if (target) incoming.set(target, [...(incoming.get(target) ?? []), { from, reference }]);
    }
  }
  return { byKind, incoming };
});

const kindName = ({ group, kind }: ObjectReference): string => `${group}/${kind}`;
