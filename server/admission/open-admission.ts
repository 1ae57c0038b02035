/** Opens the admission chain of a server: the plugins that its options ask for, each with its configuration. */
import { admissionTable } from '../../plugins/index.js';
import type { AdmissionPlugin } from '../../runtime/contract/index.js';
import type { Kinds } from '../kinds.js';
import { OptionError } from '../option-error.js';
import type { AdmissionOptions } from './admission-options.js';
import { choosePlugins } from './choose-plugins.js';

export interface OpenedAdmission {
  /** In the order in which they run. */
  readonly plugins: readonly AdmissionPlugin[];
  /** By the names of plugins; checked. */
  readonly configurations: ReadonlyMap<string, unknown>;
  /** Notices for the operator. */
  readonly notices: readonly string[];
}

/** Rejects with an `OptionError` where an option or the file cannot be used. */
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
  return { plugins, configurations, notices: [...notices, ...plugins.flatMap(deprecation)] };
}

type Configurations = Pick<OpenedAdmission, 'configurations' | 'notices'>;

async function readConfigurations(
  { plugins, optionalPlugins }: Kinds,
  running: readonly AdmissionPlugin[],
  { configurationFile: file, plugins: own = [] }: AdmissionOptions,
): Promise<Configurations> {
  if (file === undefined) return { configurations: new Map(), notices: [] };
  // The reader of YAML with positions is loaded by servers that have such a file.
  const { readAdmissionFile } = await import('./admission-file.js');
  const there = [...plugins, ...optionalPlugins, ...own];
  const read = readAdmissionFile(file, there);
  if (!read.ok) {
    throw new OptionError((nameOf) => `${nameOf('admission.configurationFile')} ${read.problems.join('\n  ')}`);
  }
  const unused = [...read.configurations.keys(), ...read.missing].filter(
    (name) => !running.some((plugin) => plugin.name === name),
  );
  return {
    configurations: read.configurations,
    notices: unused.map((name) => `${file}: the configuration of ${name} has no effect, as the plugin does not run`),
  };
}

const deprecated = new Set(
  admissionTable.filter(({ stability }) => stability === 'deprecated').map(({ name }) => name),
);

const deprecation = ({ name }: AdmissionPlugin): readonly string[] =>
  deprecated.has(name) ? [`the admission plugin ${name} is deprecated and will be removed`] : [];
