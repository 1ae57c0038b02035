/** The messages between the process that watches a project and the one that serves it. */

/** The ports of a server, for the next server. */
export interface Ports {
  readonly http?: number;
  readonly secure?: number;
}

/** The reason why a server could not start: its definitions, or anything else. */
export type Cause = 'definitions' | 'code';

/** From the process that serves. */
export type FromServer =
  /** Everything is read and checked; it waits for `serve`. */
  | { readonly type: 'loaded'; readonly watched: Watched }
  /** The project has mistakes, which the process has printed; it ends. */
  | { readonly type: 'failed'; readonly watched: Watched; readonly cause: Cause }
  | { readonly type: 'serving'; readonly ports: Ports }
  /** It serves the changed definitions. */
  | { readonly type: 'replaced' }
  /** It needs a restart to serve the changed definitions. */
  | { readonly type: 'restart'; readonly because: string }
  /** It got a SIGTERM: everything ends, because `.kindforge/data/owner` names only this process. */
  | { readonly type: 'end' };

/** To the process that serves. The process that generates only gets `definitions` and `stop`. */
export type ToServer =
  /** `first`: whether no other process has served before. */
  | { readonly type: 'serve'; readonly ports: Ports; readonly first: boolean }
  /** Definitions have changed. */
  | { readonly type: 'definitions' }
  | { readonly type: 'stop' };

/** The files of a server, by absolute paths. */
export interface Watched {
  /** The configuration and its modules. */
  readonly files: readonly string[];
  /** A folder in which all code counts, including later files. */
  readonly allBelow?: string;
  /** The folder of definitions; absent if there is none. */
  readonly schemas?: string;
}

const hasType = (message: unknown, ...types: readonly string[]): boolean =>
  typeof message === 'object' && message !== null && 'type' in message && types.includes(String(message.type));

/**
 * Reports whether a message comes from a process that serves. Checks only the type, because both ends are the same
 * release.
 */
export const isFromServer = (message: unknown): message is FromServer =>
  hasType(message, 'loaded', 'failed', 'serving', 'replaced', 'restart', 'end');

/** Reports whether a message is for a process that serves. */
export const isToServer = (message: unknown): message is ToServer => hasType(message, 'serve', 'definitions', 'stop');
