/** Opens the admission chain of a server: the plugins from its options, each with its configuration. */
import { admissionTable, firstOfTheLast, type VolumeLabels } from '../../plugins/index.js';
import type { AdmissionPlugin, ResourceIndex } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import type { Kinds } from '../kinds.js';
import { fileError, OptionError } from '../option-error.js';

export interface OpenedAdmission {
  /** The plugins, in the order in which they run. */
  readonly plugins: readonly AdmissionPlugin[];
  /** Checked configurations, by the names of plugins. */
  readonly configurations: ReadonlyMap<string, unknown>;
  /** Notices for the operator. */
  readonly notices: readonly string[];
}

/** Rejects with an `OptionError` if an option or the file cannot be used. */
export async function openAdmission(kinds: Kinds, options: AdmissionOptions = {}): Promise<OpenedAdmission> {
  const plugins = choosePlugins(kinds, options);
  const { configurations, notices } = await readConfigurations(kinds, plugins, options);
  const lacking = plugins.find(({ name, configuration }) => configuration?.required && !configurations.has(name));
  if (lacking) {
    throw new OptionError(
      (nameOf) =>
        `the admission plugin ${lacking.name} needs a configuration; give it one in the file of ${nameOf('admission.configurationFile')}`,
    );
  }
  const deprecations = plugins.flatMap(deprecation);
  return { plugins, configurations, notices: [...notices, ...deprecations, ...unlabelled(plugins, options)] };
}

/** Returns a notice if volumes must have labels, but no source of labels knows their place. */
function unlabelled(plugins: readonly AdmissionPlugin[], { volumeLabels }: AdmissionOptions): readonly string[] {
  const name = 'PersistentVolumeLabel';
  if (volumeLabels !== undefined || !plugins.some((plugin) => plugin.name === name)) return [];
  return [`the admission plugin ${name} adds no labels, because no source of labels is configured`];
}

type Configurations = Pick<OpenedAdmission, 'configurations' | 'notices'>;

async function readConfigurations(
  { plugins, optionalPlugins }: Kinds,
  running: readonly AdmissionPlugin[],
  { configurationFile: file, plugins: own = [] }: AdmissionOptions,
): Promise<Configurations> {
  if (file === undefined) return { configurations: new Map(), notices: [] };
  // Only servers with such a file load the YAML reader with positions.
  const { readAdmissionFile } = await import('./admission-file.js');
  const there = [...plugins, ...optionalPlugins, ...own];
  const read = readAdmissionFile(file, there);
  if (!read.ok) {
    throw fileError('admission.configurationFile', read.problems);
  }
  const unused = [...read.configurations.keys(), ...read.missing].filter(
    (name) => !running.some((plugin) => plugin.name === name),
  );
  return {
    configurations: read.configurations,
    notices: unused.map(
      (name) => `${file}: the configuration of ${name} has no effect, because the plugin does not run`,
    ),
  };
}

const deprecated = new Set(
  admissionTable.filter(({ stability }) => stability === 'deprecated').map(({ name }) => name),
);

const deprecation = ({ name }: AdmissionPlugin): readonly string[] =>
  deprecated.has(name) ? [`the admission plugin ${name} is deprecated and will be removed`] : [];

type Named = 'enable' | 'disable';

const rows = new Map(admissionTable.map((row) => [row.name, row]));
const ranks = new Map(admissionTable.map(({ name }, rank) => [name, rank]));
/** Other plugins run just before the last ones of the table. */
const usualRank = (ranks.get(firstOfTheLast) ?? admissionTable.length) - 0.5;

/** Returns the enabled plugins, in order. Throws an `OptionError` if an option cannot switch a plugin that it names. */
export function choosePlugins(
  { plugins, optionalPlugins }: Pick<Kinds, 'plugins' | 'optionalPlugins'>,
  { plugins: own = [], enable = [], disable = [] }: AdmissionOptions,
): readonly AdmissionPlugin[] {
  const all = [...plugins, ...optionalPlugins, ...own];
  const there = new Set(all.map(({ name }) => name));
  checkNames('enable', enable, there);
  checkNames('disable', disable, there);
  const both = enable.find((name) => disable.includes(name));
  if (both !== undefined) {
    throw new OptionError(
      (nameOf) => `${nameOf('admission.enable')} and ${nameOf('admission.disable')} both name ${both}; name it in one`,
    );
  }
  const missing = enable.find((name) => !there.has(name));
  if (missing !== undefined) {
    throw new OptionError((nameOf) => `${nameOf('admission.enable')}: ${whyMissing(missing)}; leave it out`);
  }
  const off = new Set([
    ...optionalPlugins.map(({ name }) => name).filter((name) => !enable.includes(name)),
    ...disable,
  ]);
  return all.filter(({ name }) => !off.has(name)).sort((a, b) => rankOf(a) - rankOf(b));
}

/**
 * Returns why a plugin is missing. The server may lack a part that the plugin needs. A server without built-in kinds
 * has no plugins of the table.
 */
function whyMissing(name: string): string {
  const needs = rows.get(name)?.needs;
  return needs === undefined ? `${name} is not part of this server` : `${name} needs ${needs}`;
}

const rankOf = ({ name }: AdmissionPlugin): number => ranks.get(name) ?? usualRank;

function checkNames(option: Named, names: readonly string[], there: ReadonlySet<string>): void {
  const all = [...new Set([...there, ...rows.keys()])].sort();
  const known = all.filter((name) => rows.get(name)?.byDefault !== 'always');
  for (const name of names) {
    if (known.includes(name)) continue;
    const problem =
      rows.get(name)?.byDefault === 'always'
        ? `${name} is part of the server; it is always on`
        : `${JSON.stringify(name)} is unknown; ${didYouMean(name, known) ?? `use names of: ${known.join(', ')}`}`;
    throw new OptionError((nameOf) => `${nameOf(`admission.${option}`)}: ${problem}`);
  }
}

export interface AdmissionOptions {
  /** Plugins that run after the built-in ones, and before webhooks and policies. Default: none. */
  readonly plugins?: readonly AdmissionPlugin[];
  /** Names of plugins to switch on that are off by default. Their order has no effect. Default: none. */
  readonly enable?: readonly string[] | undefined;
  /** Names of plugins to switch off. Default: none. */
  readonly disable?: readonly string[] | undefined;
  /** An `AdmissionConfiguration` file with the configurations of plugins. Default: none. */
  readonly configurationFile?: string | undefined;
  /** Finds the labels that the plugin `PersistentVolumeLabel` adds to volumes. Default: it adds none. */
  readonly volumeLabels?: VolumeLabels | undefined;
  /**
   * Addresses of admission webhooks behind Services, by `<namespace>/<name>`, as in `{ 'shop/hook':
   * 'https://127.0.0.1:9443' }`. Default: the cluster address of the Service.
   */
  readonly serviceAddresses?: Readonly<Record<string, string>> | undefined;
}

/** Throws an `OptionError` that names the gate to set. */
export function checkGates(plugins: readonly AdmissionPlugin[], featureEnabled: (gate: string) => boolean): void {
  for (const { name, gate } of admissionTable) {
    if (gate === undefined || featureEnabled(gate) || !plugins.some((plugin) => plugin.name === name)) continue;
    throw new OptionError(
      (nameOf) => `${nameOf('admission.enable')}: ${name} needs ${gate}=true in ${nameOf('featureGates')}`,
    );
  }
}

// Warns at the start about served kinds without effect, because their admission plugin is off.

/** Returns a sentence for each plugin that is off while the server serves its kind. */
export function idleKinds(
  disabled: readonly string[],
  resources: Pick<ResourceIndex, 'find'>,
  { rename }: Naming,
): readonly string[] {
  return admissionTable.flatMap(({ name, kind }) => {
    if (!kind || !disabled.includes(name)) return [];
    const group = rename(kind.group);
    const place = `${group}/${kind.version}/${kind.resource}`;
    return resources.find(group, kind.version, kind.resource)
      ? [`${name} is off, so objects of ${place} have no effect; add ${place}=false to the runtime config`]
      : [];
  });
}
