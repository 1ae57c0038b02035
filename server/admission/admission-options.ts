/** The options of a server about admission. */
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
}
