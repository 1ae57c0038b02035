/** The time that servers and controllers go by, so that tests can have one of their own. */

/** Tells the time and wakes who waits. */
export interface Clock {
  /** Milliseconds since any moment; never goes back, and stands still for nobody. */
  monotonicMs(): number;
  /** Milliseconds since 1970, as the machine has it. */
  wallMs(): number;
  /** Acts after a time in milliseconds; the answer calls that off. */
  after(ms: number, act: () => void): () => void;
}
