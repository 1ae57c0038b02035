/** The controllers that belong to relations between kinds; servers without relations have none. */
import { defineRelationReport, defineRelations } from '../../controllers/index.js';
import type { Controller } from '../../controllers/kit/index.js';
import type { ResourceModule, Store } from '../../runtime/contract/index.js';
import { isApiObject } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import {
  type ApiServer,
  deletingReferences,
  findRelationOffenders,
  type RelationOffenders,
  relatedKinds,
} from '../../runtime/server/index.js';

interface Parts {
  readonly naming: Naming;
  readonly store: Store;
  readonly serves: (group: string, version: string, plural: string) => boolean;
  readonly onProblem: (problem: string) => void;
}

/**
 * Returns the controllers. Every server runs them, because relations are part of its API. Several servers agree with
 * each other.
 */
export function relationControllers({ registry }: Pick<ApiServer, 'registry'>, parts: Parts): readonly Controller[] {
  const related = relatedKinds(registry);
  if (related.length === 0) return [];
  const deleting = deletingReferences(registry).map(({ target, from, reference, namesIn }) => ({
    target: kindOf(target),
    from: kindOf(from),
    onDelete: reference.onDelete === 'clear' ? ('clear' as const) : ('cascade' as const),
    crossesNamespaces: reference.namespaceField !== undefined || target.scope === 'Cluster',
    namesIn: (object: unknown) => (isApiObject(object) ? namesIn(object) : []),
  }));
  const services = parts.naming.rename('apiregistration.platform.io');
  const isReported = parts.serves(services, 'v1', 'apiservices');
  return [
    ...(deleting.length === 0 ? [] : [defineRelations(deleting)]),
    ...(isReported ? [defineReport(registry, related, services, parts)] : []),
  ];
}

function defineReport(
  registry: ApiServer['registry'],
  related: readonly ResourceModule[],
  services: string,
  { naming, store, onProblem }: Parts,
): Controller {
  return defineRelationReport({
    services,
    label: naming.rename('kube-aggregator.platform.io/automanaged'),
    onFound: onProblem,
    async find(signal) {
      const found = await findRelationOffenders(registry, store, signal);
      const versions = new Map(related.map(({ group, version }) => [`${group}/${version}`, { group, version }]));
      return [...versions.values()].map((one) => ({
        ...one,
        problems: found
          .filter(({ module: { group, version } }) => group === one.group && version === one.version)
          .map(textOf),
      }));
    },
  });
}

/** Returns the line about a kind. */
export function textOf({ module: { group, names }, count, examples }: RelationOffenders): string {
  const objects = count === 1 ? '1 stored object breaks' : `${count.toLocaleString('en')} stored objects break`;
  const more = count > examples.length ? '; …' : '';
  return `${objects} the relations of ${names.plural}.${group}: ${examples.join('; ')}${more}; writes that keep these values pass`;
}

const kindOf = ({ group, version, names: { plural, kind }, scope }: ResourceModule) => ({
  group,
  version,
  plural,
  kind,
  scope,
});
