/** The parts that the first step of a start opens; the next steps build on them. */
import type { ResourceModule } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import type { Metrics } from '../runtime/server/index.js';
import type { DeferredSettings } from './deferred-settings.js';
import type { Features } from './features.js';
import type { Kinds } from './kinds.js';
import type { OnProblem, StartOptions } from './options.js';
import type { OpenedAdmission } from './parts/open-admission.js';
import type { OpenedAudit } from './parts/open-audit.js';
import type { Storage } from './parts/open-storage.js';
import type { OpenedTracing } from './parts/open-tracing.js';
import type { Profiles } from './profiles.js';
import type { GivenTls } from './transport/given-tls.js';

/** The parts of a server, once its options are read and its store is open. */
export interface ServerParts {
  readonly options: StartOptions;
  readonly naming: Naming;
  readonly kinds: Kinds;
  /** Those of the modules that the option `schemas` has brought. */
  readonly definitions: readonly ResourceModule[];
  readonly admission: OpenedAdmission;
  readonly deferred: DeferredSettings;
  /** The settings of TLS; absent without it. */
  readonly tls: GivenTls | undefined;
  readonly features: Features;
  readonly audit: OpenedAudit | undefined;
  readonly tracing: OpenedTracing | undefined;
  readonly profiles: Profiles | undefined;
  readonly storage: Storage;
  readonly metrics: Metrics;
  readonly onProblem: OnProblem;
  /** Closes what has been opened, if the server does not come up. */
  close(): Promise<void>;
}
