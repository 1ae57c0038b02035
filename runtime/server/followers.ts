/** Runs the followers of stored objects: reports their faults, and starts them again from a fresh list. */
import type { Follow, Store } from '../contract/index.js';
import { Follower } from './follower.js';

export interface FollowersOptions {
  readonly store: Pick<Store, 'list' | 'watch' | 'confirm'>;
  /** Receives each fault: a text with the follower and the object, and the error. */
  readonly onError: (problem: string, error: unknown) => void;
  /** Returns milliseconds that never go back. Default: the machine's clock. */
  readonly now?: () => number;
}

export interface FollowerState {
  readonly name: string;
  /** How long it has been behind, in milliseconds; 0 if it has kept up. */
  readonly behindMs: number;
  /** Faults since the server started. */
  readonly errors: number;
}

/** All followers of a server. */
export class Followers {
  readonly #options: FollowersOptions & { readonly now: () => number };
  readonly #all = new Set<Follower>();
  readonly #errors = new Map<string, number>();

  constructor(options: FollowersOptions) {
    this.#options = { now: () => performance.now(), ...options };
  }

  readonly follow: Follow = (name, sink) => {
    const follower = new Follower(name, sink, {
      ...this.#options,
      onError: (problem, error) => {
        this.#errors.set(name, (this.#errors.get(name) ?? 0) + 1);
        this.#options.onError(problem, error);
      },
      onStopped: () => void this.#all.delete(follower),
    });
    this.#all.add(follower);
    if (!this.#errors.has(name)) this.#errors.set(name, 0);
    follower.start();
    return follower;
  };

  /** Names the followers that are behind and the objects that they failed on; empty if all have kept up. */
  problem(): string {
    return [...this.#all].flatMap((follower) => follower.problem() || []).join('; ');
  }

  /** Returns one state per name, the worst of its followers. */
  states(): readonly FollowerState[] {
    return [...this.#errors].map(([name, errors]) => {
      const behind = [...this.#all].filter((one) => one.name === name).map(({ behindMs }) => behindMs);
      return { name, errors, behindMs: Math.max(0, ...behind) };
    });
  }
}
