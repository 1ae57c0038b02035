/** Puts modules under the names that are served; done once, when the registry is built. */
import type { ResourceModule, Subresource } from '../contract/index.js';
import type { Naming } from '../objects/naming.js';

/** A module with its group renamed where the naming says so, and those of the kinds that its subresources take. */
export function underNaming(module: ResourceModule, naming: Naming): ResourceModule {
  const group = naming.rename(module.group);
  const subresources = module.subresources.map((subresource) => renamedKind(subresource, naming));
  const same = subresources.every((subresource, index) => subresource === module.subresources[index]);
  return group === module.group && same ? module : { ...module, group, subresources };
}

function renamedKind(subresource: Subresource, naming: Naming): Subresource {
  if (subresource.kind === undefined) return subresource;
  const group = naming.rename(subresource.kind.group);
  return group === subresource.kind.group ? subresource : { ...subresource, kind: { ...subresource.kind, group } };
}

/** The group and kind by which strategies name a module's resource. */
export const kindOf = ({ group, names }: ResourceModule): string =>
  group === '' ? names.kind : `${group}/${names.kind}`;
