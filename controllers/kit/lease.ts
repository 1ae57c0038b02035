/** The Lease by which controllers of several processes agree on who works, as one process sees it. */
import {
  type ApiObjectLike,
  type ClientOptions,
  type Clock,
  createResourceClient,
  defineResource,
  isAlreadyExists,
  isConflict,
  type ResourceDescriptor,
} from '../../client/index.js';
import { ignoreNotFound } from './ignore-not-found.js';

interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  leaseTransitions?: number;
}

interface Lease extends ApiObjectLike {
  spec?: LeaseSpec;
}

export interface LeaseOptions {
  readonly client: ClientOptions;
  /** The group of leases, as it is served. */
  readonly group: string;
  readonly namespace: string;
  readonly name: string;
  /** Tells this process from all others. */
  readonly identity: string;
  /** How long others wait after the last sign of the holder, milliseconds. */
  readonly durationMs: number;
  readonly clock: Clock;
}

const leases = (group: string): ResourceDescriptor<Lease> =>
  defineResource<Lease>()({
    group,
    version: 'v1',
    plural: 'leases',
    kind: 'Lease',
    scope: 'Namespaced',
    subresources: [],
  } as const);

/** Whether this process holds the lease, or how long another does for sure, as far as this one knows. */
export type Claim = { readonly isHeld: true } | { readonly isHeld: false; readonly freeInMs: number };

export class LeaseClaim {
  readonly #options: LeaseOptions;
  readonly #resource;
  /** The lease as it was last seen to change, and when by the own clock: clocks of others do not count. */
  #seen: { readonly revision: string | undefined; readonly at: number } | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#resource = createResourceClient(leases(options.group), options.client).in(options.namespace);
  }

  /** Takes or keeps the lease, if nobody else holds it. Throws where the server cannot be asked. */
  async claim(signal: AbortSignal): Promise<Claim> {
    const { name, identity, durationMs, clock } = this.#options;
    const lease = await this.#resource.get(name, { signal }).catch(ignoreNotFound);
    const { resourceVersion } = lease?.metadata ?? {};
    if (this.#seen === undefined || this.#seen.revision !== resourceVersion)
      this.#seen = { revision: resourceVersion, at: clock.monotonicMs() };
    const holder = lease?.spec?.holderIdentity ?? '';
    const freeInMs = this.#seen.at + Math.max(durationMs, durationOf(lease)) - clock.monotonicMs();
    if (holder !== '' && holder !== identity && freeInMs > 0) return { isHeld: false, freeInMs };
    const spec = this.#heldSpec(lease?.spec ?? {}, holder);
    const metadata = { ...lease?.metadata, name };
    try {
      if (lease === undefined) await this.#resource.create({ metadata, spec }, { signal });
      else await this.#resource.update({ ...lease, metadata, spec }, { signal });
      return { isHeld: true };
    } catch (error) {
      // Another was faster.
      if (isConflict(error) || isAlreadyExists(error)) return { isHeld: false, freeInMs: 0 };
      throw error;
    }
  }

  /** Lets others take the lease at once. */
  async release(signal: AbortSignal): Promise<void> {
    const { name, identity, clock } = this.#options;
    const lease = await this.#resource.get(name, { signal }).catch(ignoreNotFound);
    if (lease?.spec?.holderIdentity !== identity) return;
    const now = microTime(clock.wallMs());
    const spec = { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
    await this.#resource.update({ ...lease, spec }, { signal });
  }

  #heldSpec(before: LeaseSpec, holder: string): LeaseSpec {
    const { identity, durationMs, clock } = this.#options;
    const now = microTime(clock.wallMs());
    const isSame = holder === identity;
    const transitions = before.leaseTransitions ?? 0;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: durationMs / 1000,
      acquireTime: isSame ? (before.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: isSame || before.holderIdentity === undefined ? transitions : transitions + 1,
    };
  }
}

const durationOf = (lease: Lease | undefined): number => (lease?.spec?.leaseDurationSeconds ?? 0) * 1000;

const microTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
