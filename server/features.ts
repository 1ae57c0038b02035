/** Decides which optional parts of the API are on, once all parts are known. */
import type { ResourceModule } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import { apiRelease } from '../runtime/objects/release.js';
import {
  applyRuntimeConfig,
  gatesOf,
  type RuntimeConfig,
  readFeatureGates,
  readRuntimeConfig,
  underNaming,
} from '../runtime/server/index.js';
import { OptionError } from './option-error.js';
import type { StartOptions, Switches } from './options.js';

/** The parts of the API that are on. */
export interface Features {
  readonly featureEnabled: (gate: string) => boolean;
  readonly runtimeConfig: RuntimeConfig;
  /** Notices about gates that no longer have an effect. */
  readonly notices: readonly string[];
}

type FeatureOptions = Pick<StartOptions, 'featureGates' | 'runtimeConfig' | 'emulatedVersion'>;

/** Checks the options against the served parts. Throws an `OptionError` with the valid values. */
export function readFeatures(options: FeatureOptions, modules: readonly ResourceModule[], naming: Naming): Features {
  const gates = readFeatureGates(writeSwitches(options.featureGates), () => gatesOf(modules));
  if (!gates.ok) throw wrong('featureGates', gates.failure.message);
  const config = readRuntimeConfig(writeSwitches(options.runtimeConfig));
  if (!config.ok) throw wrong('runtimeConfig', config.failure.message);
  const named = modules.map((module) => underNaming(module, naming));
  const applied = applyRuntimeConfig(config.value, named, options.emulatedVersion ?? apiRelease);
  if (!applied.ok) throw wrong('runtimeConfig', applied.failure.message);
  const { enabled, notices } = gates.value;
  return { featureEnabled: enabled, runtimeConfig: config.value, notices };
}

function writeSwitches(switches: Switches = ''): string {
  if (typeof switches === 'string') return switches;
  return Object.entries(switches)
    .map(([name, on]) => `${name}=${on}`)
    .join(',');
}

const wrong = (option: 'featureGates' | 'runtimeConfig', problem: string): OptionError =>
  new OptionError((nameOf) => `${nameOf(option)}: ${problem}`);
