/** The parts that the first step of a start opens, and settings of kinds that need later parts. */

import type { RuleResolver } from '../plugins/index.js';
import type { ResourceModule, Store } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import { emulate } from '../runtime/objects/release.js';
import type { Metrics } from '../runtime/server/index.js';
import type { TokenIssuer } from '../strategies/index.js';
import type { Cluster } from './aggregated/cluster.js';
import { modesOf } from './authorization.js';
import type { Features } from './features.js';
import type { KindSettings, Kinds } from './kinds.js';
import type { OnProblem, StartOptions } from './options.js';
import type { OpenedAdmission } from './parts/open-admission.js';
import type { OpenedAudit } from './parts/open-audit.js';
import type { OpenedEncryption } from './parts/open-encryption.js';
import type { OpenedTracing } from './parts/open-tracing.js';
import type { Storage } from './parts/storage-options.js';
import type { Profiles } from './profiles.js';
import type { GivenTls } from './transport/given-tls.js';
import type { OutgoingCalls } from './webhooks/outgoing-calls.js';
import { type OpenedWebhookCalls, webhookCalls } from './webhooks/webhook-calls.js';
import type { Role } from './workers/role.js';

/** The parts of a server after the first step: its options are read, and its store is open. */
export interface ServerParts {
  readonly options: StartOptions;
  readonly naming: Naming;
  readonly kinds: Kinds;
  /** The resources of the modules that the option `schemas` added. */
  readonly definitions: readonly ResourceModule[];
  readonly admission: OpenedAdmission;
  readonly deferred: DeferredSettings;
  /** The settings of TLS; absent without it. */
  readonly tls: GivenTls | undefined;
  /** The cluster in front of the server; absent without the option `aggregated`. */
  readonly cluster: Cluster | undefined;
  readonly features: Features;
  readonly audit: OpenedAudit | undefined;
  readonly tracing: OpenedTracing | undefined;
  readonly profiles: Profiles | undefined;
  readonly storage: Storage;
  /** The secret that belongs to the data; absent if nothing keeps one. */
  readonly secret: Uint8Array | undefined;
  /** The role of this process in a server with workers; absent if one process does everything. */
  readonly role: Role | undefined;
  /** The encryption of the store; absent without it. */
  readonly encryption: OpenedEncryption | undefined;
  readonly metrics: Metrics;
  /** The calls to webhooks and identity providers. */
  readonly calls: OutgoingCalls;
  readonly onProblem: OnProblem;
  /** Closes all parts. Call it if the start fails. */
  close(): Promise<void>;
}

/** Parts of a server that it can only make after its kinds, because reading the store needs the kinds. */
interface DeferredParts {
  readonly store: Store;
  readonly issuer: TokenIssuer;
  readonly rules?: RuleResolver;
}

interface DeferredSettings {
  readonly settings: KindSettings;
  /** Connects to conversion webhooks. */
  readonly openConversion: OpenedWebhookCalls['openConversion'];
  /** Sets the parts. Call it before any request. */
  complete(parts: DeferredParts): void;
  /** Starts the work of the settings. Call it once the server has created the objects that it needs. */
  begin(): void;
}

export function defineDeferredSettings(
  options: StartOptions,
  outgoing: OutgoingCalls,
  onProblem: OnProblem,
): DeferredSettings {
  let known: DeferredParts | undefined;
  let hasBegun = false;
  const { openConversion, ...calls } = webhookCalls(outgoing, options.admission?.serviceAddresses, onProblem);
  const parts = (): DeferredParts => {
    if (!known) throw new Error('a kind asks for a part of the server before the server has it');
    return known;
  };
  const { serviceRanges, tolerations, emulatedVersion } = options;
  const { authentication: { serviceAccounts: { maxSeconds } = {} } = {} } = options;
  const rules: RuleResolver = {
    rulesOf: (user, namespace) => parts().rules?.rulesOf(user, namespace) ?? { rules: [], problems: [] },
    rulesToCome: (role) => parts().rules?.rulesToCome(role),
  };
  return {
    settings: {
      serviceRanges,
      tolerations,
      volumeLabels: options.admission?.volumeLabels,
      release: emulate(emulatedVersion),
      issuer: { issue: (claims) => parts().issuer.issue(claims), maxSeconds },
      components: [{ name: 'storage', problem: () => parts().store.health() }],
      webhooks: { ...calls, areAsked: () => hasBegun },
      ...(modesOf(options.authorization).includes('RBAC') ? { rules } : {}),
    },
    openConversion,
    complete: (all) => {
      known = all;
    },
    begin: () => {
      hasBegun = true;
    },
  };
}
