/** Asks the owner of the data, and passes each answer to its caller. */
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serialize } from 'node:v8';
import type { GroupNumber } from '../../contract/index.js';
import { DriverError } from '../shared/errors.js';
import { Channel } from './channel.js';
import { type Answer, isAnswer, type Question } from './messages.js';

type AnswerThat<Is extends Answer['is']> = Extract<Answer, { readonly is: Is }>;

/** Receives the answers to one question. */
interface Waiting {
  answer(answer: Answer): void;
  failed(error: DriverError): void;
}

const isThat = <Is extends Answer['is']>(answer: Answer, is: Is): answer is AnswerThat<Is> => answer.is === is;

/** The bytes that may wait for the owner before `tell` waits. */
const WAITING_BYTES = 16 * 1024 * 1024;

export class Questions {
  readonly #channel: Channel;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #isClosed = false;

  constructor(socket: Socket) {
    this.#channel = new Channel(socket, {
      message: (id, message) => {
        if (isAnswer(message)) this.#take(id, message);
      },
      closed: () => this.#lose(),
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Resolves to the answer. Rejects with a `DriverError`; it is `uncertain` if the outcome of the question is unknown.
   */
  ask<Is extends Answer['is']>(question: Question, is: Is, withinMs: number): Promise<AnswerThat<Is>> {
    return this.begin(question, is, withinMs).answered;
  }

  /** Begins a question. More messages may follow under its number. */
  begin<Is extends Answer['is']>(
    question: Question,
    is: Is,
    withinMs: number,
  ): { readonly id: number; readonly answered: Promise<AnswerThat<Is>> } {
    const id = ++this.#last;
    const answered = new Promise<AnswerThat<Is>>((resolve, reject) => {
      if (this.#isClosed) return reject(new DriverError('unsent', GONE));
      const late = (): void => this.#settle(id)?.failed(new DriverError('uncertain', LATE));
      const timer = setTimeout(late, withinMs);
      this.#waiting.set(id, {
        answer: (answer) => {
          clearTimeout(timer);
          this.#waiting.delete(id);
          if (isThat(answer, is)) resolve(answer);
          else reject(new DriverError('uncertain', `the owner of the data answers with "${answer.is}"`));
        },
        failed: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      this.#send(id, question);
    });
    return { id, answered };
  }

  /** Sends another message of a question. Waits while the owner does not read. */
  async tell(id: number, more: Question): Promise<void> {
    this.#send(id, more);
    while (!this.#isClosed && this.#channel.waitingBytes > WAITING_BYTES) await sleep(1);
  }

  /** Asks for all changes after a number. The returned function ends this. */
  follow(after: GroupNumber, waiting: Waiting): () => void {
    const id = ++this.#last;
    this.#waiting.set(id, waiting);
    if (this.#isClosed) this.#lose();
    else this.#send(id, { ask: 'follow', after });
    return () => {
      this.#waiting.delete(id);
      this.#send(id, { ask: 'unfollow' });
    };
  }

  close(): void {
    this.#channel.close();
  }

  #send(id: number, question: Question): void {
    this.#channel.send(id, serialize(question));
  }

  #take(id: number, answer: Answer): void {
    if (answer.is !== 'failed') {
      this.#waiting.get(id)?.answer(answer);
      return;
    }
    const { problem, message, failure } = answer;
    this.#settle(id)?.failed(new DriverError(problem, message, { failure }));
  }

  /** Removes the caller that waits for an answer, and returns it. */
  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #lose(): void {
    this.#isClosed = true;
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.failed(new DriverError('uncertain', GONE));
  }
}

const GONE = 'the connection to the owner of the data has ended';
const LATE = 'the owner of the data has not answered in time';
