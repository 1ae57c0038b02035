/** Calls the cluster: picks a member that answers, logs in, and repeats calls that are safe to repeat. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StorageObserver } from '../../contract/index.js';
import { Endpoint } from './endpoint.js';
import { EtcdError, notMade, toEtcdError } from './errors.js';
import { authenticate, type Method } from './messages.js';
import type { ConnectionOptions } from './options.js';

export interface AskOptions {
  /** The time limit of the call, in milliseconds. */
  readonly withinMs: number;
  /** True if the call may be repeated although it may have been carried out. */
  readonly repeatable: boolean;
}

/** The options of calls that may be repeated. */
export const READ: AskOptions = { withinMs: 4_000, repeatable: true };

/** The time for an answer from one member if there are other members to ask, in milliseconds. */
const ATTEMPT_MS = 2_500;
/** The pause between two rounds through all members, in milliseconds. */
const PAUSE_MS = 100;

/** A stream of answers. */
export interface Stream<Q> {
  send(question: Q): void;
  /** Ends the stream; the handler receives nothing after that. */
  close(): void;
}

export interface StreamHandler<A> {
  answer(answer: A): void;
  /** Receives the reason when the stream ends, unless `close` ended it. */
  broken(error: EtcdError): void;
}

export class Connection {
  readonly #endpoints: readonly Endpoint[];
  readonly #observer: StorageObserver | undefined;
  readonly #login: { readonly name: string; readonly password: string } | undefined;
  /** The member in use. */
  #current = 0;
  #token = '';
  /** The open streams by member, each with the function that ends it. */
  readonly #streams = new Map<Endpoint, Set<(error: EtcdError) => void>>();
  /** The login in flight. */
  #loggingIn: Promise<void> | undefined;
  #closed = false;

  constructor({ endpoints, tls, user, password = '', observer }: ConnectionOptions) {
    this.#observer = observer;
    this.#endpoints = endpoints.map((url) => new Endpoint(url, tls));
    this.#login = user === undefined ? undefined : { name: user, password };
  }

  /** Rejects with an `EtcdError`. */
  async ask<Q, A>(method: Method<Q, A>, question: Q, { withinMs, repeatable }: AskOptions): Promise<A> {
    const began = performance.now();
    const until = began + withinMs;
    for (let attempt = 1; ; attempt++) {
      const endpoint = this.#endpoint();
      let token = '';
      try {
        token = await this.#logIn(endpoint);
        const left = Math.max(1, until - performance.now());
        const answer = await endpoint.ask(method, question, token, Math.min(left, ATTEMPT_MS));
        this.#observer?.asked(operationOf(method.path), '', (performance.now() - began) / 1000);
        return answer;
      } catch (error) {
        if (!(error instanceof EtcdError)) throw error;
        this.#learn(error, endpoint, token);
        const again = isWorthTrying(error, repeatable) && performance.now() + PAUSE_MS < until;
        if (this.#closed || !again) {
          this.#observer?.failed(operationOf(method.path), '', (performance.now() - began) / 1000);
          throw error;
        }
        if (attempt % this.#endpoints.length === 0) await sleep(PAUSE_MS);
      }
    }
  }

  /** Opens a stream to the member in use. Rejects with an `EtcdError` if the login fails. */
  async stream<Q, A>(method: Method<Q, A>, handler: StreamHandler<A>, withinMs?: number): Promise<Stream<Q>> {
    const endpoint = this.#endpoint();
    let token = '';
    try {
      token = await this.#logIn(endpoint);
    } catch (error) {
      if (error instanceof EtcdError) this.#learn(error, endpoint, token);
      throw error;
    }
    const stream = endpoint.open(method, token, withinMs);
    let over = false;
    const close = (): void => {
      over = true;
      this.#streams.get(endpoint)?.delete(end);
      stream.cancel();
    };
    const end = (error: EtcdError): void => {
      if (over) return;
      close();
      this.#learn(error, endpoint, token);
      handler.broken(error);
    };
    const streams = this.#streams.get(endpoint) ?? new Set();
    this.#streams.set(endpoint, streams.add(end));
    stream.on('data', (answer: A) => {
      if (!over) handler.answer(answer);
    });
    stream.on('error', (error) => end(toEtcdError(error, endpoint.address)));
    stream.on('end', () => end(new EtcdError('uncertain', `etcd at ${endpoint.address}: the stream has ended`)));
    return {
      send: (question) => {
        stream.write(question);
      },
      close,
    };
  }

  /** Switches to another member, if there is one, because the current one does not answer well. */
  leave(): void {
    this.#current = (this.#current + 1) % this.#endpoints.length;
  }

  /** Makes the next call log in again. */
  forgetLogin(): void {
    this.#token = '';
  }

  close(): void {
    this.#closed = true;
    for (const endpoint of this.#endpoints) endpoint.close();
  }

  #endpoint(): Endpoint {
    const endpoint = this.#endpoints[this.#current];
    if (!endpoint) throw new EtcdError('refused', 'no etcd endpoint was given');
    return endpoint;
  }

  /** Prepares the next call after an error: chooses another member, or forgets the login. */
  #learn(error: EtcdError, endpoint: Endpoint, token: string): void {
    const { problem, isLoggedOut } = error;
    if (isLoggedOut && this.#token === token) this.#token = '';
    if (isLoggedOut || (problem !== 'unsent' && problem !== 'uncertain')) return;
    if (this.#endpoints[this.#current] === endpoint) this.leave();
    // A member that fails calls may keep its streams open without sending anything.
    if (this.#endpoints.length > 1) for (const end of [...(this.#streams.get(endpoint) ?? [])]) end(error);
  }

  /** Returns the token to call with; empty without a login. */
  async #logIn(endpoint: Endpoint): Promise<string> {
    const login = this.#login;
    if (!login || this.#token !== '') return this.#token;
    this.#loggingIn ??= endpoint
      .ask(authenticate, login, '', ATTEMPT_MS)
      .then(({ token = '' }) => {
        this.#token = token;
      })
      .finally(() => {
        this.#loggingIn = undefined;
      });
    await this.#loggingIn.catch(notMade);
    return this.#token;
  }
}

function isWorthTrying({ problem }: EtcdError, repeatable: boolean): boolean {
  return problem === 'unsent' || (problem === 'uncertain' && repeatable);
}

/** Returns the name of the call in metrics: `range` of `/etcdserverpb.KV/Range`. */
const operationOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();
