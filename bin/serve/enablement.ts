/** Reads the flags that switch parts of the API, once it is known what there is to switch. */
import type { ResourceModule, Result } from '../../runtime/contract/index.js';
import { apiRelease } from '../../runtime/objects/release.js';
import { badRequest } from '../../runtime/objects/status.js';
import {
  applyRuntimeConfig,
  gatesOf,
  type RuntimeConfig,
  readFeatureGates,
  readRuntimeConfig,
  underNaming,
} from '../../runtime/server/index.js';
import type { Settings } from './settings.js';

/** Which parts of the API are on. */
export interface Enablement {
  readonly featureEnabled: (gate: string) => boolean;
  readonly runtimeConfig: RuntimeConfig;
  /** What whoever wrote the flags should hear. */
  readonly notices: readonly string[];
}

/** Checks the flags against what is loaded; the failure's message says which one is wrong and what it takes. */
export function readEnablement(settings: Settings, modules: readonly ResourceModule[]): Result<Enablement> {
  const gates = readFeatureGates(settings.featureGates, () => gatesOf(modules));
  if (!gates.ok) return wrong(`--feature-gates: ${gates.failure.message}`);
  const config = readRuntimeConfig(settings.runtimeConfig);
  if (!config.ok) return wrong(`--runtime-config: ${config.failure.message}`);
  const named = modules.map((module) => underNaming(module, settings.naming));
  const applied = applyRuntimeConfig(config.value, named, settings.emulatedVersion ?? apiRelease);
  if (!applied.ok) return wrong(`--runtime-config: ${applied.failure.message}`);
  const { enabled, notices } = gates.value;
  return { ok: true, value: { featureEnabled: enabled, runtimeConfig: config.value, notices } };
}

const wrong = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });
