/** Knows whether etcd refuses writes although it answers reads: its quota is used up, or a right is missing. */
import { type Connection, READ } from './connection.js';
import { EtcdError } from './errors.js';
import { status } from './messages.js';

/** The time for which a refused write is reported if nobody writes any more, in milliseconds. */
const REFUSED_MS = 30_000;

export class Refusals {
  /** The reason why etcd refuses all writes, by its own alarms; empty without one. */
  #alarm = '';
  #refused: { readonly message: string; readonly at: number } | undefined;

  /** The reason why a write would probably be refused at present; empty if there is none. */
  get problem(): string {
    if (this.#alarm !== '') return this.#alarm;
    return this.#refused && performance.now() - this.#refused.at < REFUSED_MS ? this.#refused.message : '';
  }

  noteMade(): void {
    this.#refused = undefined;
  }

  /** Notes why a write has failed, if etcd will refuse others for the same reason. */
  noteFailed(error: unknown): void {
    if (!(error instanceof EtcdError) || error.problem !== 'refused') return;
    const { message, failure } = error;
    // Another object may be smaller.
    if (failure.reason === 'RequestEntityTooLarge') return;
    // etcd raises the alarm with the first write that it refuses, and the next check takes it back when that is over.
    if (message.includes('space exceeded')) this.#alarm = message;
    else this.#refused = { message, at: performance.now() };
  }

  /** Asks a member for alarms. Never rejects: where none answers, or may be asked, nothing is known. */
  async check(connection: Connection): Promise<void> {
    const answer = await connection.ask(status, {}, READ).catch(() => undefined);
    if (!answer) return;
    const alarms = (answer.errors ?? []).flatMap((text) => /\balarm:(\w+)/.exec(text)?.[1] ?? []);
    const names = [...new Set(alarms)].join(', ');
    this.#alarm =
      names && `etcd refuses writes: it has raised the alarm ${names}; fix the cause, then disarm the alarm`;
  }
}
