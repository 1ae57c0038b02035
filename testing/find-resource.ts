/** Finds the resource that a test names. */
import type { ApiObjectLike, ResourceDescriptor } from '../client/index.js';
import type { ListeningServer } from '../server/index.js';

type Registry = ListeningServer['registry'];

/** Returns the descriptor of a resource by name. Throws a TypeError if no resource with the name is served. */
export function findResource(registry: Registry, name: string): ResourceDescriptor {
  const found = registry.resources.find(({ module, groupResource, apiVersion }) =>
    [module.names.plural, groupResource, `${apiVersion}/${module.names.plural}`].includes(name),
  );
  if (found) return describe(found);
  throw new TypeError(
    `no resource ${name} is served; name it as in configmaps, deployments.apps or apps/v1/deployments`,
  );
}

/** Returns the descriptor of the resource of an object. Throws a TypeError if its kind is not served. */
export function resourceOfObject(registry: Registry, { apiVersion, kind }: ApiObjectLike): ResourceDescriptor {
  const found = registry.resources.find((one) => one.apiVersion === apiVersion && one.module.names.kind === kind);
  if (found) return describe(found);
  throw new TypeError(`no resource of the kind ${kind ?? '(none)'} in ${apiVersion ?? '(none)'} is served`);
}

const describe = ({ module: { group, version, names, scope } }: Registry['resources'][number]): ResourceDescriptor => ({
  group,
  version,
  plural: names.plural,
  kind: names.kind,
  scope,
  subresources: [],
});
