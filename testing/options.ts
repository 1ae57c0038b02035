/** The options of a test server. */
import type { ApiObjectLike } from '../client/index.js';
import type { Controller, DefineKinds, Kinds, StartOptions } from '../server/index.js';
import type { FaultRecording } from './faults/recording.js';
import type { Definition } from './load-definitions.js';
import type { Moment } from './test-clock.js';

/** The options that a test server sets itself. */
type Decided =
  | 'bootstrapped'
  | 'clock'
  | 'controllers'
  | 'credentials'
  | 'door'
  | 'http'
  | 'kinds'
  | 'schemas'
  | 'allowBreakingChanges'
  | 'storage'
  | 'workers';

/** The options of a test server, and most of those of `startServer`. */
export interface TestServerOptions extends Omit<StartOptions, Decided> {
  /**
   * The project with the `kindforge.config` to read: the file or its folder; `false` for none. It adds names, handlers,
   * admission plugins, authenticators and authorizers, definitions if none are given, and from its `serve` settings
   * gates, versions, admission, authorization, tolerations and the size of objects. Its controllers only run if
   * `controllers` asks for them. Default: the project of the working directory or of a folder above it.
   */
  readonly project?: string | false;
  /** Folders of definitions, and definitions as values, besides the built-in kinds. Default: none. */
  readonly definitions?: Definition | readonly Definition[];
  /** CustomResourceDefinitions to apply once the server runs, as clients apply them. Default: none. */
  readonly customResources?: readonly object[];
  /**
   * Kinds of generated code with their handlers, besides the built-in ones; as `{ modules: registry, handlers }`.
   * Default: none.
   */
  readonly kinds?: readonly (DefineKinds | Partial<Kinds>)[];
  /** Objects to create at the start, in this order. Default: none. */
  readonly objects?: readonly ApiObjectLike[];
  /**
   * `true` for the built-in controllers. A list has controllers of your own, and built-in ones by name, with `*` for
   * all that run by default. Default: false, so that only the test changes anything.
   */
  readonly controllers?: boolean | readonly (string | Controller)[];
  /**
   * The moment at which the server's clock stops until it is moved. Default: the clock runs; it can be moved anyway.
   */
  readonly frozenAt?: Moment;
  /** The seed of random faults, or a recording of faults to replay. Default: a random seed. */
  readonly faults?: { readonly seed: number } | FaultRecording;
}
