/** The messages between the process that watches a project and the one that serves it. */

/** Ports that a server has listened on, for the next one. */
export interface Ports {
  readonly http?: number;
  readonly secure?: number;
}

/** Reports why a server could not be started: because of its definitions, or for another reason. */
export type Cause = 'definitions' | 'code';

/** From the process that serves. */
export type FromServer =
  /** Everything is read and checked; it waits for `serve`. */
  | { readonly type: 'loaded'; readonly watched: Watched }
  /** Something has mistakes, which have been printed; it ends. */
  | { readonly type: 'failed'; readonly watched: Watched; readonly cause: Cause }
  | { readonly type: 'serving'; readonly ports: Ports }
  /** It serves the definitions that it was asked to read. */
  | { readonly type: 'replaced' }
  /** It cannot take the definitions that it was asked to read without a restart. */
  | { readonly type: 'restart'; readonly because: string }
  /** A SIGTERM asked it to stop: everything ends, as `.kindforge/data/owner` names only this process. */
  | { readonly type: 'end' };

/** To the process that serves. The process that generates only gets `definitions` and `stop`. */
export type ToServer =
  /** `first`: no other has served before. */
  | { readonly type: 'serve'; readonly ports: Ports; readonly first: boolean }
  /** Definitions have changed. */
  | { readonly type: 'definitions' }
  | { readonly type: 'stop' };

/** The files that a server is made of, by absolute paths. */
export interface Watched {
  /** The configuration and its modules. */
  readonly files: readonly string[];
  /** A folder in which all code counts, also files that are added later. */
  readonly allBelow?: string;
  /** The folder of definitions; absent if there is none. */
  readonly schemas?: string;
}

const hasType = (message: unknown, ...types: readonly string[]): boolean =>
  typeof message === 'object' && message !== null && 'type' in message && types.includes(String(message.type));

/** Reports whether a message comes from a process that serves: both ends are of the same release. */
export const isFromServer = (message: unknown): message is FromServer =>
  hasType(message, 'loaded', 'failed', 'serving', 'replaced', 'restart', 'end');

/** Reports whether a message is for a process that serves. */
export const isToServer = (message: unknown): message is ToServer => hasType(message, 'serve', 'definitions', 'stop');
