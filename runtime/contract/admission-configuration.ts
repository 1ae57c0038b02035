/** The format of an admission plugin's own configuration, as in the file of `--admission-control-config-file`. */

/** A place in a configuration: keys and indexes from its root. */
export type ConfigurationPath = readonly (string | number)[];

/** Receives a problem and its place. `key` is set if the key is wrong, not its value. */
export type RefuseConfiguration = (path: ConfigurationPath, problem: string, at?: 'key' | 'value') => void;

export interface PluginConfiguration {
  /** Accepted values of `apiVersion`, in platform names. The Kubernetes names are accepted too. */
  readonly apiVersions: readonly string[];
  /** The value of `kind`; absent for formats without `apiVersion` and `kind`. */
  readonly kind?: string;
  /** Whether the server refuses to start without a configuration for the plugin. */
  readonly required: boolean;
  /** Reports each problem of a value. `apiVersion` and `kind` are already checked. */
  readonly check: (value: unknown, refuse: RefuseConfiguration) => void;
}
