/** A bootstrap hook: before a server is ready, it makes some objects what they have to be. */
import type { ClientOptions } from '../../client/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import type { ServiceRanges } from '../../strategies/index.js';

/** The server that a hook runs for. */
export interface BootstrapParts {
  readonly client: ClientOptions;
  readonly naming: Naming;
  /** The port that the server listens on; 0 where that is not known yet. */
  readonly port: number;
  /** The address that it listens on. */
  readonly host: string;
  readonly serviceRanges: ServiceRanges;
  readonly featureEnabled: (gate: string) => boolean;
}

/**
 * One hook. It may run any number of times, beside other servers on the same store, and changes nothing where all is as
 * it has to be.
 */
export interface BootstrapHook {
  /** As readiness names it: the check `poststarthook/<name>` fails until the hook has run. */
  readonly name: string;
  /** Seconds after which it runs again, so that what was deleted or changed comes back; only at the start where absent. */
  readonly everySeconds?: number;
  /** Rejects where the objects could not be made what they have to be. */
  readonly run: (parts: BootstrapParts) => Promise<void>;
}
