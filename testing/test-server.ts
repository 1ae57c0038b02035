/** A server for tests. */
import type { ApiObjectLike, ClientOptions, DynamicClient, ResourceDescriptor } from '../client/index.js';
import type { UserInfo } from '../runtime/contract/index.js';
import type { Controller, ListeningServer } from '../server/index.js';
import type { Faults } from './faults/faults.js';
import type { TestClock } from './test-clock.js';
import type { UntilObject, UntilOptions, UntilSelector } from './until.js';

/** The ways of a user to the server. */
export interface TestUser {
  readonly user: UserInfo;
  /** For clients in this process, without a socket: `createClient(jane.client)`. */
  readonly client: ClientOptions;
  /** Returns the client of one resource, by its descriptor from generated code or `defineResource`. */
  resource<T extends ApiObjectLike, A, S extends string>(
    descriptor: ResourceDescriptor<T, A, 'Cluster' | 'Namespaced', S>,
  ): DynamicClient<T, A, S>;
  /** A bearer token, for clients over the network. */
  readonly token: string;
  /** The text of a kubeconfig, for kubectl and for programs in other processes. */
  readonly kubeconfig: string;
  /**
   * Writes the kubeconfig into a file, and returns its path. Only the owner can read the file. The server removes it at
   * its end.
   */
  kubeconfigFile(): string;
}

/** The server as its administrator, with everything else that a test needs. */
export interface TestServer extends TestUser, AsyncDisposable {
  /** As in `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly clock: TestClock;
  readonly faults: Faults;
  /** The server itself, for everything else. */
  readonly server: ListeningServer;
  /** Returns a user with a name and groups. The server checks its rights like any user's. */
  asUser(name: string, groups?: readonly string[], extra?: UserInfo['extra']): TestUser;
  /** Creates objects of any kind, in this order, as the administrator. Resolves to the stored objects. */
  create(...objects: readonly ApiObjectLike[]): Promise<readonly ApiObjectLike[]>;
  /**
   * Runs a controller until the server is reset or disposed of, or the returned function is called. Resolves once it
   * has started.
   */
  run(controller: Controller): Promise<() => Promise<void>>;
  /**
   * Waits until an object exists and meets the condition, and resolves to it. `deleted` waits until it is gone. Rejects
   * with an `UntilTimeoutError` that shows the last state of the object.
   */
  until<T extends ApiObjectLike>(
    selector: UntilObject<T>,
    condition: (object: T) => boolean,
    options?: UntilOptions,
  ): Promise<T>;
  until(selector: UntilObject, condition: 'deleted', options?: UntilOptions): Promise<void>;
  /** Waits until the objects of a selector meet the condition. */
  until<T extends ApiObjectLike>(
    selector: UntilSelector<T> & { readonly name?: never },
    condition: (objects: readonly T[]) => boolean,
    options?: UntilOptions,
  ): Promise<readonly T[]>;
  /**
   * Restores the state after the start: objects, definitions, faults, the clock, and running controllers. Revisions
   * continue. Watches stay open, and report deleted and restored objects.
   */
  reset(): Promise<void>;
  /** Stops the server and everything that it runs. Leaves nothing behind in the process or on the disk. */
  dispose(): Promise<void>;
}
