/** A server for tests, as tests see it. */
import type { ApiObjectLike, ClientOptions, DynamicClient, ResourceDescriptor } from '../client/index.js';
import type { UserInfo } from '../runtime/contract/index.js';
import type { Controller, ListeningServer } from '../server/index.js';
import type { Faults } from './faults/faults.js';
import type { TestClock } from './test-clock.js';
import type { UntilObject, UntilOptions, UntilSelector } from './until.js';

/** How a user reaches the server. */
export interface TestUser {
  readonly user: UserInfo;
  /** For clients in this process, without a socket: `createClient(jane.client)` with that of generated code. */
  readonly client: ClientOptions;
  /** The client of one resource, by its descriptor in generated code or one of `defineResource`. */
  resource<T extends ApiObjectLike, A, S extends string>(
    descriptor: ResourceDescriptor<T, A, 'Cluster' | 'Namespaced', S>,
  ): DynamicClient<T, A, S>;
  /** A bearer token, for clients over the network. */
  readonly token: string;
  /** The text of a kubeconfig, for kubectl and for programs in other processes. */
  readonly kubeconfig: string;
  /** The same in a file that only its owner can read, and that goes with the server. Returns its path. */
  kubeconfigFile(): string;
}

/** The administrator, and what else a test does with a server. */
export interface TestServer extends TestUser, AsyncDisposable {
  /** As in `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly clock: TestClock;
  readonly faults: Faults;
  /** The server itself, for what has no shorter way. */
  readonly server: ListeningServer;
  /** A user by name, with groups; who may do what is decided as for any user. */
  asUser(name: string, groups?: readonly string[], extra?: UserInfo['extra']): TestUser;
  /** Creates objects of any kind, in this order, as the administrator; each says its kind. Resolves to what is stored. */
  create(...objects: readonly ApiObjectLike[]): Promise<readonly ApiObjectLike[]>;
  /** Runs a controller until the server is reset or disposed of, or the answer is called. Resolves once it has begun. */
  run(controller: Controller): Promise<() => Promise<void>>;
  /**
   * Waits by a watch until an object is there and meets the condition, and resolves to it; `deleted` waits until it is gone.
   * Rejects with an `UntilTimeoutError` that shows the object as it was last.
   */
  until<T extends ApiObjectLike>(
    selector: UntilObject<T>,
    condition: (object: T) => boolean,
    options?: UntilOptions,
  ): Promise<T>;
  until(selector: UntilObject, condition: 'deleted', options?: UntilOptions): Promise<void>;
  /** The same of all objects of a selector. */
  until<T extends ApiObjectLike>(
    selector: UntilSelector<T> & { readonly name?: never },
    condition: (objects: readonly T[]) => boolean,
    options?: UntilOptions,
  ): Promise<readonly T[]>;
  /**
   * Brings all back to what it was after the start: objects, definitions, faults, the clock, and which controllers run.
   * Revisions go on. Watches stay open, and are told of what goes and comes back.
   */
  reset(): Promise<void>;
  /** Stops the server and all that it runs; nothing is left behind in the process or on the disk. */
  dispose(): Promise<void>;
}
