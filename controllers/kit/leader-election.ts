/** Has one process of several work at a time: whoever holds a Lease leads, as long as its own clocks say so. */
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
  /** How long others wait after the last sign of the leader, milliseconds. Default: 15000. */
  readonly durationMs?: number;
  /** How long the leader acts after its last sign, milliseconds; less than the duration. Default: 10000. */
  readonly renewDeadlineMs?: number;
  /** Pause between two signs, and between two attempts to lead, milliseconds. Default: 2000. */
  readonly retryMs?: number;
  /** Told of requests for the lease that failed. */
  readonly onError: (error: unknown) => void;
  /** Told when this process begins to lead, and when it no longer does. */
  readonly onLeading?: (isLeading: boolean) => void;
}

/** This process does not lead, or cannot be sure of it. */
export class NotLeadingError extends Error {
  constructor() {
    super('this process no longer leads, so nothing is written');
  }
}

/** The work of a leader; `check` throws as soon as the lease may have gone to another. */
export type Lead = (check: () => void) => RunningControllers;

/** Runs what `lead` starts whenever this process leads. Stopping ends that first, and then lets others lead at once. */
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
  /** The moment when the last sign was sent, by two clocks: one stands still while a machine sleeps, one can be set. */
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

  /** Asks for the lease once; returns how long to wait until the next time, milliseconds. */
  async #attempt(signal: AbortSignal): Promise<number> {
    const sent = { monotonic: this.#clock.monotonicMs(), wall: this.#clock.wallMs() };
    try {
      const claim = await this.#inTime((late) => this.#claim.claim(AbortSignal.any([signal, late])));
      if (!claim.isHeld) {
        this.#sign = undefined;
        // Several who wait do not all ask at the same moment.
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

  /** Others take over by themselves where this fails. */
  async #release(): Promise<void> {
    await this.#inTime((late) => this.#claim.release(late)).catch(this.#options.onError);
  }

  /** A request that is not answered is given up, so that the leader notices in time that it no longer leads. */
  async #inTime<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const reason = new Error('the lease was not answered in time');
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
type Claim = { readonly isHeld: true } | { readonly isHeld: false; readonly freeInMs: number };

class LeaseClaim {
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
