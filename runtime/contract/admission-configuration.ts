/** The format of an admission plugin's own configuration, as the file of `--admission-control-config-file` has it. */

/** A place in a configuration: keys and indexes from its root. */
export type ConfigurationPath = readonly (string | number)[];

/** Told of what is wrong at which place; `key` where the key itself is wrong, not its value. */
export type RefuseConfiguration = (path: ConfigurationPath, problem: string, at?: 'key' | 'value') => void;

/** The configuration that a plugin takes. */
export interface PluginConfiguration {
  /** Values of `apiVersion`, in the names of the platform; the names of Kubernetes stand for the same. */
  readonly apiVersions: readonly string[];
  /** The value of `kind`; absent for formats that have neither `apiVersion` nor `kind`. */
  readonly kind?: string;
  /** Whether the plugin cannot do without. */
  readonly required: boolean;
  /** Tells of everything that is wrong with a value, `apiVersion` and `kind` aside. */
  readonly check: (value: unknown, refuse: RefuseConfiguration) => void;
}
