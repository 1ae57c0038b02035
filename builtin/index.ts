/** The built-in kinds as one value: all that a server has to be given for them. */
import { registry } from '../generated/registry.js';
import { admissionPlugins } from '../plugins/index.js';
import type {
  AdmissionPlugin,
  NamedConversion,
  ResourceModule,
  Strategy,
  VirtualHandler,
} from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import {
  conversions,
  type HandlerParts,
  type StrategySettings,
  strategies,
  virtualHandlers,
} from '../strategies/index.js';

/** As `createServer`, `defineConverter` and, but for modules, `attributeReader` take them. */
export interface BuiltinKinds {
  readonly modules: readonly ResourceModule[];
  readonly strategies: readonly Strategy[];
  readonly conversions: readonly NamedConversion[];
  readonly handlers: readonly VirtualHandler[];
  readonly plugins: readonly AdmissionPlugin[];
}

/** What some of the kinds are told of the server that they are in. */
export type BuiltinSettings = HandlerParts & Partial<StrategySettings>;

/** The built-in kinds under the names that are served, with everything that they do. */
export function builtinKinds(naming: Naming, settings: BuiltinSettings = {}): BuiltinKinds {
  const { serviceRanges, ...parts } = settings;
  return {
    modules: registry,
    strategies: strategies(naming, serviceRanges && { serviceRanges }),
    conversions,
    handlers: virtualHandlers(naming, parts),
    plugins: admissionPlugins(naming),
  };
}
