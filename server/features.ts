/** Decides which optional parts of the API are on, when all parts are known. */
import type { ResourceModule } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import { emulate } from '../runtime/objects/release.js';
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

/**
 * Checks the options against the parts of this release and of later ones. Throws an `OptionError` with the valid
 * values.
 */
export function readFeatures(
  options: FeatureOptions,
  modules: readonly ResourceModule[],
  naming: Naming,
  laterModules: readonly ResourceModule[] = [],
): Features {
  const release = emulate(options.emulatedVersion);
  const gates = readFeatureGates(writeSwitches(options.featureGates), () => gatesOf(modules), release);
  if (!gates.ok) throw wrong('featureGates', gates.failure.message);
  const read = readRuntimeConfig(writeSwitches(options.runtimeConfig));
  if (!read.ok) throw wrong('runtimeConfig', read.failure.message);
  const config = withoutEmpty(read.value, naming);
  const [named, later] = [modules, laterModules].map((list) => list.map((module) => underNaming(module, naming)));
  const applied = applyRuntimeConfig(config, named ?? [], release.name, later);
  if (!applied.ok) throw wrong('runtimeConfig', applied.failure.message);
  const { enabled, notices } = gates.value;
  return { featureEnabled: enabled, runtimeConfig: config, notices };
}

/** Versions with nothing but messages to webhooks. Options may switch them, without an effect. */
const emptyVersions = ['imagepolicy.platform.io/v1alpha1'];

function withoutEmpty(config: RuntimeConfig, { rename }: Naming): RuntimeConfig {
  const empty = new Set(emptyVersions.map((name) => name.replace(/^[^/]+/, rename)));
  return { ...config, versions: new Map([...config.versions].filter(([name]) => !empty.has(name))) };
}

function writeSwitches(switches: Switches = ''): string {
  if (typeof switches === 'string') return switches;
  return Object.entries(switches)
    .map(([name, on]) => `${name}=${on}`)
    .join(',');
}

const wrong = (option: 'featureGates' | 'runtimeConfig', problem: string): OptionError =>
  new OptionError((nameOf) => `${nameOf(option)}: ${problem}`);
