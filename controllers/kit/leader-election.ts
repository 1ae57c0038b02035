/** Lets one of several processes work at a time: the holder of a Lease, until its last renewal is too old. */
import {
  type ApiObjectLike,
  type ClientOptions,
  type Clock,
  createResourceClient,
  defineResource,
  isAlreadyExists,
  isConflict,
  type ResourceDescriptor,
  sleep,
  systemClock,
} from '../../client/index.js';
import { allowListeners } from './allow-listeners.js';
import { ignoreNotFound } from './ignore-not-found.js';
import type { ControllerState, RunningControllers } from './run-controllers.js';

export interface LeaderElectionOptions extends Omit<LeaseOptions, 'durationMs' | 'clock'> {
  readonly clock?: LeaseOptions['clock'];
  /** How long other processes wait after the leader's last renewal, milliseconds. Default: 15000. */
  readonly durationMs?: number;
  /** How long the leader acts after its last renewal, milliseconds; less than `durationMs`. Default: 10000. */
  readonly renewDeadlineMs?: number;
  /** Pause between two renewals, or between two attempts to lead, milliseconds. Default: 2000. */
  readonly retryMs?: number;
  /** Called with the errors of requests for the lease. */
  readonly onError: (error: unknown) => void;
  /** Called when this process starts to lead, and when it stops leading. */
  readonly onLeading?: (isLeading: boolean) => void;
}

/** Thrown if this process does not lead, or cannot be sure that it does. */
export class NotLeadingError extends Error {
  constructor() {
    super('this process no longer leads, so nothing is written');
  }
}

/** Starts the leader's work. `check` throws as soon as another process may hold the lease. */
export type Lead = (check: () => void) => RunningControllers;

/** Runs `lead` while this process leads. Stopping it ends the work first, and then releases the lease. */
export function runAsLeader(options: LeaderElectionOptions, lead: Lead): RunningControllers {
  const elector = new Elector(options, lead);
  const ending = new AbortController();
  allowListeners(ending.signal);
  const running = elector.run(ending.signal);
  return {
    get states() {
      return elector.states;
    },
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}

const nobody: ReadonlyMap<string, ControllerState> = new Map();

class Elector {
  readonly #options: LeaderElectionOptions;
  readonly #clock;
  readonly #claim: LeaseClaim;
  readonly #lead: Lead;
  readonly #retryMs: number;
  readonly #renewDeadlineMs: number;
  /** The time of the last renewal, by two clocks: one stops while a machine sleeps, the other can be set. */
  #sign: { readonly monotonic: number; readonly wall: number } | undefined;
  #working: RunningControllers | undefined;

  constructor(options: LeaderElectionOptions, lead: Lead) {
    const { clock = systemClock, durationMs = 15_000, renewDeadlineMs = 10_000, retryMs = 2000 } = options;
    this.#options = options;
    this.#clock = clock;
    this.#claim = new LeaseClaim({ ...options, clock, durationMs });
    this.#lead = lead;
    this.#retryMs = retryMs;
    this.#renewDeadlineMs = renewDeadlineMs;
  }

  get states(): ReadonlyMap<string, ControllerState> {
    return this.#working?.states ?? nobody;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = await this.#attempt(signal);
      if (this.#working && !this.#isSure()) await this.#end();
      await sleep(pauseMs, signal, this.#clock);
    }
    const wasLeading = this.#isSure();
    await this.#end();
    if (wasLeading) await this.#release();
  }

  /** Tries once to get or renew the lease. Resolves to the milliseconds until the next attempt. */
  async #attempt(signal: AbortSignal): Promise<number> {
    const sent = { monotonic: this.#clock.monotonicMs(), wall: this.#clock.wallMs() };
    try {
      const claim = await this.#inTime((late) => this.#claim.claim(AbortSignal.any([signal, late])));
      if (!claim.isHeld) {
        this.#sign = undefined;
        // Adds a random part, so that waiting processes do not all ask at the same moment.
        return Math.min(Math.max(claim.freeInMs, 0), this.#retryMs) + this.#retryMs * 0.1 * Math.random();
      }
      this.#sign = sent;
      if (this.#working === undefined && this.#isSure() && !signal.aborted) this.#begin();
    } catch (error) {
      if (!signal.aborted) this.#options.onError(error);
    }
    return this.#retryMs;
  }

  #isSure(): boolean {
    if (this.#sign === undefined) return false;
    const { monotonic, wall } = this.#sign;
    const passed = Math.max(this.#clock.monotonicMs() - monotonic, this.#clock.wallMs() - wall);
    return passed < this.#renewDeadlineMs;
  }

  #begin(): void {
    this.#working = this.#lead(() => {
      if (!this.#isSure()) throw new NotLeadingError();
    });
    this.#options.onLeading?.(true);
  }

  async #end(): Promise<void> {
    const working = this.#working;
    if (working === undefined) return;
    await working.stop();
    this.#working = undefined;
    this.#options.onLeading?.(false);
  }

  /** Releases the lease. If this fails, the lease expires. */
  async #release(): Promise<void> {
    await this.#inTime((late) => this.#claim.release(late)).catch(this.#options.onError);
  }

  /** Gives up a request without an answer, so that the leader notices in time that it no longer leads. */
  async #inTime<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const reason = new Error('the server did not answer the request for the lease in time');
    const cancel = this.#clock.after(this.#renewDeadlineMs / 2, () => late.abort(reason));
    try {
      return await ask(late.signal);
    } finally {
      cancel();
    }
  }
}

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

interface LeaseOptions {
  readonly client: ClientOptions;
  /** The group of leases, as it is served. */
  readonly group: string;
  readonly namespace: string;
  readonly name: string;
  /** Unique for this process. */
  readonly identity: string;
  /** How long others wait after the holder's last renewal, milliseconds. */
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

/** Whether this process holds the lease, or how long another process certainly holds it. */
type Claim = { readonly isHeld: true } | { readonly isHeld: false; readonly freeInMs: number };

class LeaseClaim {
  readonly #options: LeaseOptions;
  readonly #resource;
  /** The last seen change of the lease, and when this process's clock saw it: clocks of other processes may differ. */
  #seen: { readonly revision: string | undefined; readonly at: number } | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#resource = createResourceClient(leases(options.group), options.client).in(options.namespace);
  }

  /** Takes or keeps the lease if no other process holds it. Throws if the server does not answer. */
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
      // Another process was faster.
      if (isConflict(error) || isAlreadyExists(error)) return { isHeld: false, freeInMs: 0 };
      throw error;
    }
  }

  /** Releases the lease, so that others can take it at once. */
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
      leaseDurationSeconds: Math.floor(durationMs / 1000),
      acquireTime: isSame ? (before.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: isSame || before.holderIdentity === undefined ? transitions : transitions + 1,
    };
  }
}

const durationOf = (lease: Lease | undefined): number => (lease?.spec?.leaseDurationSeconds ?? 0) * 1000;

const microTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
