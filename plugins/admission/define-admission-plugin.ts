/** Defines admission plugins that take a configuration of their own, with its type. */
import type {
  AdmissionHost,
  AdmissionPlugin,
  PluginConfiguration,
  RefuseConfiguration,
} from '../../runtime/contract/index.js';
import type { Schema } from './configuration/schema.js';

/** The configuration of a plugin: its format, and what holds where none is given. */
export type ConfigurationDefinition<C> = Pick<PluginConfiguration, 'apiVersions' | 'kind'> & {
  readonly schema: Schema<C>;
} & ({ readonly byDefault: C } | { readonly required: true });

/** A plugin with the type of its configuration. */
export type ConfiguredPlugin<C> = Omit<AdmissionPlugin, 'configuration' | 'start'> & {
  readonly configuration: ConfigurationDefinition<C>;
  /** Called once, before the first request, by every server that runs the plugin. */
  readonly start: (host: AdmissionHost, configuration: C) => void;
};

/** The plugin as servers take it. Without `configuration` it takes none. */
export function defineAdmissionPlugin<C>(definition: ConfiguredPlugin<C>): AdmissionPlugin;
export function defineAdmissionPlugin(definition: Omit<AdmissionPlugin, 'configuration'>): AdmissionPlugin;
export function defineAdmissionPlugin<C>(
  definition: ConfiguredPlugin<C> | Omit<AdmissionPlugin, 'configuration'>,
): AdmissionPlugin {
  if (!('configuration' in definition)) return definition;
  const { configuration, start } = definition;
  const { schema, apiVersions, kind } = configuration;
  return {
    ...definition,
    configuration: {
      apiVersions,
      ...(kind === undefined ? {} : { kind }),
      required: 'required' in configuration,
      check: (value, refuse) => void schema(value, [], refuse),
    },
    start: (host, given) => start(host, readGiven(definition.name, configuration, given)),
  };
}

const nobody: RefuseConfiguration = () => {};

function readGiven<C>(name: string, configuration: ConfigurationDefinition<C>, given: unknown): C {
  if (given === undefined && 'byDefault' in configuration) return configuration.byDefault;
  const read = configuration.schema(given, [], nobody);
  if (read) return read.value;
  throw new Error(`the admission plugin ${name} cannot do without a configuration that it can read`);
}
