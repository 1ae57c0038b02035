/** The options of a server about admission. */
import type { VolumeLabels } from '../../plugins/index.js';
import type { AdmissionPlugin } from '../../runtime/contract/index.js';

export interface AdmissionOptions {
  /** Plugins that run after the built-in ones, and before webhooks and policies. Default: none. */
  readonly plugins?: readonly AdmissionPlugin[];
  /** Names of plugins to run that are off by default. Their order means nothing. Default: none. */
  readonly enable?: readonly string[] | undefined;
  /** Names of plugins not to run. Default: none. */
  readonly disable?: readonly string[] | undefined;
  /** File with the configurations of plugins, an `AdmissionConfiguration`. Default: none. */
  readonly configurationFile?: string | undefined;
  /**
   * Finds the labels of volumes for the plugin `PersistentVolumeLabel`, which cannot be enabled without. Default: none.
   */
  readonly volumeLabels?: VolumeLabels | undefined;
  /**
   * Addresses at which admission webhooks behind Services are reached, by `<namespace>/<name>`, as in
   * `{ 'shop/hook': 'https://127.0.0.1:9443' }`. Default: the cluster address of the Service.
   */
  readonly serviceAddresses?: Readonly<Record<string, string>> | undefined;
}
