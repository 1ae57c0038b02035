/** Puts modules under the names that are served; done once, when the registry is built. */
import type { ResourceModule, Stability } from '../contract/index.js';
import type { Naming } from '../objects/naming.js';

/** A module with its group, and the one that replaces it, renamed where the naming says so. */
export function underNaming(module: ResourceModule, naming: Naming): ResourceModule {
  const group = naming.rename(module.group);
  const stability = module.stability && stabilityUnder(module.stability, naming);
  if (group === module.group && stability === module.stability) return module;
  return { ...module, group, ...(stability === undefined ? {} : { stability }) };
}

function stabilityUnder(stability: Stability, naming: Naming): Stability {
  const { replacement } = stability;
  if (replacement?.group === undefined) return stability;
  const group = naming.rename(replacement.group);
  return group === replacement.group ? stability : { ...stability, replacement: { ...replacement, group } };
}

/** The group and kind by which strategies name a module's resource. */
export const kindOf = ({ group, names }: ResourceModule): string =>
  group === '' ? names.kind : `${group}/${names.kind}`;
