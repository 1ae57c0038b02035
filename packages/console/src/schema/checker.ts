/**
 * Checks an object while the user types: against the schema soon after each change, and with a dry run of the server
 * after a pause.
 */
import type { DynamicObject, SchemaFinding } from 'kindforge/client';
import type { DryRun } from './dry-run.js';
import { type FieldProblem, problemsOf } from './problems.js';

export interface Checks {
  check(object: DynamicObject, signal: AbortSignal): Promise<readonly SchemaFinding[]>;
  dryRun(object: DynamicObject, signal: AbortSignal): Promise<DryRun | undefined>;
  /** Takes all present problems. */
  report(problems: readonly FieldProblem[], isSettled: boolean): void;
}

/** The time from the last change to each check, milliseconds. */
const schemaDelayMs = 120;
const serverDelayMs = 600;

/** Runs one check at a time: a new object ends the checks of the last one. */
export class Checker {
  readonly #checks: Checks;
  #running: AbortController | undefined;
  #timers: ReturnType<typeof setTimeout>[] = [];
  #found: readonly FieldProblem[] = [];
  #answered: readonly FieldProblem[] = [];

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  /** Begins to check an object. The server's problems of the object before stay until it answers. */
  ask(object: DynamicObject): void {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    const { signal } = running;
    this.#timers = [
      setTimeout(() => this.#checkSchema(object, signal), schemaDelayMs),
      setTimeout(() => this.#askServer(object, signal), serverDelayMs),
    ];
  }

  /** Ends the check. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#running?.abort();
  }

  async #checkSchema(object: DynamicObject, signal: AbortSignal): Promise<void> {
    // If the schema cannot be read, only the server checks.
    const found = await this.#checks.check(object, signal).catch(() => []);
    if (signal.aborted) return;
    this.#found = found.map(({ path, message }) => ({ path, message }));
    this.#report(false);
  }

  async #askServer(object: DynamicObject, signal: AbortSignal): Promise<void> {
    try {
      this.#answered = (await this.#checks.dryRun(object, signal))?.problems ?? [];
    } catch (error) {
      if (signal.aborted) return;
      this.#answered = problemsOf(error).map((problem) => ({ ...problem, severity: 'warning' }));
    }
    if (!signal.aborted) this.#report(true);
  }

  /** Leaves out the server's problems of fields that already have a problem. */
  #report(isSettled: boolean): void {
    const paths = new Set(this.#found.map(({ path }) => path));
    this.#checks.report([...this.#found, ...this.#answered.filter(({ path }) => !paths.has(path))], isSettled);
  }
}
