/** The built-in kinds as one value, with all their code. */
import { registry } from '../generated/registry.js';
import { admissionPlugins, optionalAdmissionPlugins } from '../plugins/index.js';
import type { ResourceModule } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import { underNaming } from '../runtime/server/index.js';
import { conversions, defaultServiceRanges, kindHandlers, virtualHandlers } from '../strategies/index.js';
import type { KindFacts } from './bootstrap/index.js';
import type { KindSettings, Kinds } from './kinds.js';

export type { KindSettings, Kinds } from './kinds.js';

const builtIn: ReadonlySet<ResourceModule> = new Set(registry);

/** Returns the facts for roles of the kinds that are not built in, one for each resource that is served. */
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
  const { serviceRanges = defaultServiceRanges, emulatedVersion } = settings;
  return {
    modules: registry,
    handlers: kindHandlers(naming, { serviceRanges, emulatedVersion }),
    conversions,
    virtualHandlers: virtualHandlers(naming, settings),
    plugins: admissionPlugins(naming, settings),
    optionalPlugins: optionalAdmissionPlugins(naming, settings),
  };
}
