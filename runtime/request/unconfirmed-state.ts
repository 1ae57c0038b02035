/** The state that a write is decided on while nobody has confirmed yet that it is the latest. */
import type { Basis, Commit, Failure } from '../contract/index.js';

/** The first change that is made proves the state, as it is made only if that has been the latest. */
export class UnconfirmedState {
  #isConfirmed = false;
  #isOutdated = false;

  constructor(private readonly before: Basis) {}

  get isConfirmed(): boolean {
    return this.#isConfirmed;
  }

  /** Whether it has turned out not to be the latest: what was decided on it does not count. */
  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  /** The basis of the next change; none once the state is confirmed. */
  get basis(): Basis | undefined {
    return this.#isConfirmed ? undefined : this.before;
  }

  /** Called with what became of a change that was made on the basis above. */
  note(commit: Commit): void {
    if (commit.outcome === 'committed') this.#isConfirmed = true;
    if (commit.outcome === 'failed' && commit.outdated) this.#isOutdated = true;
  }

  /** Confirms the state, before an answer or an effect that no change proves. The failure says why it does not count. */
  async confirm(): Promise<Failure | undefined> {
    if (this.#isConfirmed) return undefined;
    const failure = await this.before.confirm();
    if (failure) return failure;
    this.#isOutdated = this.before.isOutdated;
    this.#isConfirmed = !this.#isOutdated;
    return this.#isOutdated ? OUTDATED : undefined;
  }
}

const OUTDATED: Failure = {
  reason: 'ServiceUnavailable',
  message: 'others have changed something since the request began, please try again',
  details: { retryAfterSeconds: 1 },
};
