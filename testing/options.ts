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

/** The options of a test server. They include most options of `startServer`. */
export interface TestServerOptions extends Omit<StartOptions, Decided> {
  /**
   * The project with the `kindforge.config` to read: the file or its folder; `false` for none. The project adds names,
   * handlers, admission plugins, authenticators and authorizers, and definitions if `definitions` has none. Its `serve`
   * settings add gates, versions, admission, authorization, tolerations and the size of objects. Its controllers only
   * run if `controllers` names them. Default: the project of the working directory or of a folder above it.
   */
  readonly project?: string | false;
  /** Folders of definitions, and definitions as values, besides the built-in kinds. Default: none. */
  readonly definitions?: Definition | readonly Definition[];
  /** CustomResourceDefinitions to apply once the server runs, as clients do. Default: none. */
  readonly customResources?: readonly object[];
  /**
   * Kinds of generated code with their handlers, besides the built-in ones; as `{ modules: registry, handlers }`.
   * Default: none.
   */
  readonly kinds?: readonly (DefineKinds | Partial<Kinds>)[];
  /** Objects to create at the start, in this order. Default: none. */
  readonly objects?: readonly ApiObjectLike[];
  /**
   * `true` for the built-in controllers. A list has your own controllers, and built-in ones by name; `*` means all that
   * run by default. Default: false, so that only the test changes objects.
   */
  readonly controllers?: boolean | readonly (string | Controller)[];
  /**
   * The time at which the server's clock stops until a test moves it. Default: the clock runs. Tests can move it then,
   * too.
   */
  readonly frozenAt?: Moment;
  /** The seed of random faults, or a recording of faults to replay. Default: a random seed. */
  readonly faults?: { readonly seed: number } | FaultRecording;
}
