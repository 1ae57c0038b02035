/** Whether the server answers: for the strip at the top of the page, and for parts that wait for the server. */
import { ApiError, isConnectionError } from 'kindforge/client';

/** The time between two requests to a server that does not answer, milliseconds. */
const askMs = 2_000;
const timeoutMs = 10_000;

/** Codes of a gateway that gets no answer from the server. */
const atGateway: readonly number[] = [502, 504];

/** Returns whether the server did not answer: the request failed, or a gateway reports it. */
export const isAway = (error: unknown): boolean =>
  isConnectionError(error) || (error instanceof ApiError && atGateway.includes(error.code));

class Connection {
  state: 'online' | 'away' = $state('online');
  /** The time of the last answer before the break, milliseconds since 1970. */
  since = $state(0);
  readonly #waiting = new Set<() => void>();

  /** Takes the result of a request: an error, or `undefined` for an answer. Other errors are answers, too. */
  report(error: unknown): void {
    const next = isAway(error) ? 'away' : 'online';
    if (next !== this.state) this.#turn(next);
  }

  /** Checks whether the server answers. Never rejects. */
  async ask(): Promise<boolean> {
    const answer = await fetch('/version', { signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined);
    const next = answer === undefined || atGateway.includes(answer.status) ? 'away' : 'online';
    if (next !== this.state) this.#turn(next);
    return next === 'online';
  }

  /** Calls a function once, when the server answers again. The returned function prevents this. */
  onReturn(run: () => void): () => void {
    this.#waiting.add(run);
    return () => this.#waiting.delete(run);
  }

  #turn(next: 'online' | 'away'): void {
    this.state = next;
    if (next === 'away') {
      this.since = Date.now();
      this.#askSoon();
      return;
    }
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const run of waiting) run();
  }

  #askSoon(): void {
    setTimeout(async () => {
      if (this.state === 'away' && !(await this.ask())) this.#askSoon();
    }, askMs);
  }
}

export const connection = new Connection();

/**
 * Loads a part of the console; tries again while the server does not answer. Rejects if the server answers and does not
 * have the part: it may be another release now.
 */
export async function lazily<T>(load: () => Promise<T>): Promise<T> {
  for (let isSecond = false; ; isSecond = true) {
    try {
      return await load();
    } catch (error) {
      if (!(await connection.ask())) await new Promise<void>((resolve) => connection.onReturn(resolve));
      else if (isSecond) throw error;
    }
  }
}
