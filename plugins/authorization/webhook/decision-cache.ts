/** Keeps decisions for a while: a bounded number of them, those that were asked for last. */
import type { AccessDecision } from '../../../runtime/contract/index.js';

/** The most decisions that are kept. */
export const mostKept = 8192;

interface Kept {
  readonly decision: AccessDecision;
  readonly until: number;
}

export class DecisionCache {
  readonly #clock: () => number;
  /** In the order in which they were last asked for. */
  readonly #kept = new Map<string, Kept>();

  /** `clock` tells milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get(key: string): AccessDecision | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    this.#kept.delete(key);
    if (this.#clock() >= kept.until) return undefined;
    this.#kept.set(key, kept);
    return kept.decision;
  }

  /** Keeps a decision for so many milliseconds; with none, not at all. */
  set(key: string, decision: AccessDecision, ttlMs: number): void {
    this.#kept.delete(key);
    if (ttlMs <= 0) return;
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= mostKept && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, { decision, until: this.#clock() + ttlMs });
  }
}
