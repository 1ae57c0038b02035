/** Defines admission plugins with a typed configuration, and helpers for most plugins. */
import type {
  AdmissionAttributes,
  AdmissionHost,
  AdmissionPlugin,
  ApiObject,
  Failure,
  FailureDetails,
  Operation,
  PluginConfiguration,
  RefuseConfiguration,
} from '../../runtime/contract/index.js';
import { forbiddenObject } from '../../runtime/objects/status.js';
import type { Schema } from './configuration.js';

/** The format of a plugin's configuration and its default. */
export type ConfigurationDefinition<C> = Pick<PluginConfiguration, 'apiVersions' | 'kind'> & {
  readonly schema: Schema<C>;
} & ({ readonly byDefault: C } | { readonly required: true });

/** A plugin. `start` gets the configuration that `schema` has read, or the default. */
export type ConfiguredPlugin<C> = Omit<AdmissionPlugin, 'configuration' | 'start'> & {
  readonly configuration: ConfigurationDefinition<C>;
  /** Called once, before the first request, by every server that runs the plugin. */
  readonly start: (host: AdmissionHost, configuration: C) => void;
};

/** Returns the plugin. Without `configuration`, it takes no configuration. */
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
  throw new Error(`the admission plugin ${name} needs a configuration`);
}

/** Gives an object exactly the fields of another one. Both then share the values. */
export function become(object: ApiObject, other: ApiObject): void {
  for (const key of Object.keys(object)) if (!Object.hasOwn(other, key)) delete object[key];
  Object.assign(object, other);
}

/** Returns a `handles` for operations on the objects of one resource, but not on its subresources. */
export const handlesObjects =
  (group: string, plural: string, ...operations: readonly Operation[]): AdmissionPlugin['handles'] =>
  (resource, operation, subresource) =>
    subresource === '' &&
    resource.group === group &&
    resource.names.plural === plural &&
    operations.includes(operation);

/**
 * Returns a 403 for the object of a write. The message names the object by its name or `generateName`, or as `Unknown`,
 * and ends with `why`.
 */
export function refuse(attributes: AdmissionAttributes, why: string, causes?: FailureDetails['causes']): Failure {
  const { resource, object, name } = attributes;
  const known = name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
  return forbiddenObject(resource.group, resource.names.plural, known, why, causes);
}
