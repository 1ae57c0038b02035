/** The built-in kinds as one value, with all their code. */

import { registry } from '../generated/registry.js';
import { admissionPlugins, optionalAdmissionPlugins } from '../plugins/index.js';
import type { ResourceModule } from '../runtime/contract/index.js';
import { memoizeByObject } from '../runtime/objects/memoize.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import { emulate, type Release } from '../runtime/objects/release.js';
import { isLater, modulesInRelease, underNaming } from '../runtime/server/index.js';
import { conversions, defaultServiceRanges, kindHandlers, virtualHandlers } from '../strategies/index.js';
import type { KindFacts } from './bootstrap/index.js';
import type { KindSettings, Kinds } from './kinds.js';

export type { KindSettings, Kinds } from './kinds.js';

const builtIn = new WeakSet<ResourceModule>();

/** The built-in modules of each requested release. */
const builtInModules = memoizeByObject((release: Release): readonly ResourceModule[] => {
  const modules = modulesInRelease(registry, release);
  for (const module of modules) builtIn.add(module);
  return modules;
});

/** Returns the latest release's modules of the built-in resources that these kinds have. */
export function latestModules({ modules, laterModules }: Pick<Kinds, 'modules' | 'laterModules'>): typeof modules {
  const own = modules.filter((module) => builtIn.has(module));
  const resources = new Set([...own, ...laterModules].map(resourceOf));
  return builtInModules(emulate('latest')).filter((module) => resources.has(resourceOf(module)));
}

const resourceOf = ({ group, names }: ResourceModule): string => `${group}/${names.plural}`;

/** Returns the facts for the roles of kinds that are not built in, one for each served resource. */
export function ownKinds(modules: readonly ResourceModule[], naming: Naming): readonly KindFacts[] {
  const kinds = new Map<string, KindFacts>();
  for (const module of modules) {
    if (builtIn.has(module) || !module.served) continue;
    const { group, names, verbs, subresources, access } = underNaming(module, naming);
    const { plural } = names;
    const name = `${plural}.${group}`;
    const all = [...(kinds.get(name)?.subresources ?? []), ...subresources.map((one) => one.name)];
    kinds.set(name, { group, plural, verbs, subresources: [...new Set(all)], access });
  }
  return [...kinds.values()];
}

/** Returns the built-in kinds under their served names. */
export function builtinKinds(naming: Naming, settings: KindSettings = {}): Kinds {
  const { serviceRanges = defaultServiceRanges, release = emulate() } = settings;
  return {
    modules: builtInModules(release),
    laterModules: registry.filter((module) => isLater(module, release)),
    handlers: kindHandlers(naming, { serviceRanges, release }),
    conversions,
    virtualHandlers: virtualHandlers(naming, settings),
    plugins: admissionPlugins(naming, settings),
    optionalPlugins: optionalAdmissionPlugins(naming, settings),
  };
}
