/** The built-in kinds as one value, with all their code. */
import { registry } from '../generated/registry.js';
import { admissionPlugins, optionalAdmissionPlugins } from '../plugins/index.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import { conversions, defaultServiceRanges, kindHandlers, virtualHandlers } from '../strategies/index.js';
import type { KindSettings, Kinds } from './kinds.js';

export type { KindSettings, Kinds } from './kinds.js';

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
