/** The role of a process in a server of several processes. */
import type { ConsoleSession, ConsoleSessions } from '../../plugins/index.js';
import type { AuditSink } from '../../runtime/contract/index.js';
import type { Handed, Listening, Metrics } from '../../runtime/server/index.js';
import type { EmbeddedStore } from '../../runtime/storage/index.js';
import type { OnProblem } from '../option-error.js';

/** The environment variable that gives a worker its number. */
export const workerVariable = 'KINDFORGE_WORKER';

/** Returns the number of this process among the workers of its parent, or `undefined` if it is not a worker. */
export function workerNumber(): number | undefined {
  const number = Number(process.env[workerVariable]);
  return process.connected && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

export type Role = OwnerRole | WorkerRole;

/** The process that opens the store, runs controllers and starts the workers. It answers no requests of clients. */
export interface OwnerRole {
  readonly kind: 'owner';
  /** The secret of a server, if its store keeps none. */
  readonly secret: Uint8Array;
  /** Listens at an address for the workers. */
  readonly bind: Bind;
  /** Starts the workers, and resolves once all answer. Rejects with the reason if one cannot start. */
  start(parts: OwnParts): Promise<RunningWorkers>;
}

/** A process that answers requests. */
export interface WorkerRole {
  readonly kind: 'worker';
  readonly number: number;
  readonly secret: Uint8Array;
  /** The socket on which the owner serves its store; absent if the store is shared already. */
  readonly storePath: string | undefined;
  /** The owner's sinks, instead of a log and a webhook. */
  readonly sinks: readonly AuditSink[];
  /** Returns the connections that the owner hands over. */
  handed(isSecure: boolean): Handed;
  /** Connects the parts of this process with the owner. */
  connect(parts: Pick<OwnParts, 'metrics' | 'sessions'>): void;
  /** Resolves once this process may listen. Rejects if it does not serve the same as the other processes. */
  mayListen(digest: string): Promise<void>;
  /** Begins a session of the console, and makes a link to it. */
  readonly console: { begin(code: string): Promise<ConsoleSession | undefined>; link(): Promise<string> };
  /** Reports that the server answers requests. */
  ready(stop: () => Promise<void>): Promise<void>;
  /** Resolves once the owner hands over no more connections. */
  leave(): Promise<void>;
  /** Reports why this worker does not start. */
  failed(error: unknown): Promise<void>;
  /** Lets the process end once the server has stopped. */
  end(): void;
}

/** An address to listen at. */
export interface Place {
  readonly host: string;
  /** 0 means a free one. */
  readonly port: number;
  readonly isSecure: boolean;
}

/** A place, or a listening socket. */
export interface Wanted extends Place {
  readonly fd?: number | undefined;
  /** Throws if the server must not listen on the address of the socket. */
  readonly checkAddress?: ((address: string) => void) | undefined;
}

export type Bind = (wanted: Wanted) => Promise<Pick<Listening, 'url' | 'close'>>;

/** The parts of the owner that workers use. */
export interface OwnParts {
  /** The store, if no other process can open the data. */
  readonly store: EmbeddedStore | undefined;
  readonly secret: Uint8Array;
  readonly metrics: Metrics;
  readonly sinks: readonly AuditSink[];
  readonly sessions: ConsoleSessions | undefined;
  /** Makes a link to the console. */
  readonly link: () => string;
  /** The digest of the served API. */
  readonly digest: string;
  readonly onProblem: OnProblem;
}

export interface RunningWorkers {
  /** Accepts no more connections. */
  closeDoors(): void;
  /** Asks all workers to stop, and resolves once they have ended. */
  stop(): Promise<void>;
}
