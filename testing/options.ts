/** The options of a test server. */
import type { ApiObjectLike } from '../client/index.js';
import type { Controller, DefineKinds, Kinds, StartOptions } from '../server/index.js';
import type { FaultRecording } from './faults/recording.js';
import type { Definition } from './load-definitions.js';
import type { Moment } from './test-clock.js';

/** The options that a test server decides about itself. */
type Decided =
  | 'bootstrapped'
  | 'clock'
  | 'controllers'
  | 'credentials'
  | 'door'
  | 'http'
  | 'kinds'
  | 'schemas'
  | 'storage';

/** Those of a test server, and most of those of `startServer`. */
export interface TestServerOptions extends Omit<StartOptions, Decided> {
  /**
   * The project whose `kindforge.config` is read: the file or its folder; `false` for none. It adds definitions, where
   * none are given, names, handlers, admission plugins, authenticators, authorizers, and what its settings of `serve`
   * say of gates, versions, admission, authorization, tolerations and the size of objects; its controllers run where
   * they are asked for. Default: that of the working directory, or of a folder above it.
   */
  readonly project?: string | false;
  /** Folders of definitions, and definitions as values, beside the built-in kinds. Default: none. */
  readonly definitions?: Definition | readonly Definition[];
  /** CustomResourceDefinitions that are applied once the server runs, as clients apply them. Default: none. */
  readonly customResources?: readonly object[];
  /**
   * Kinds of generated code with what they do, beside the built-in ones; as `{ modules: registry, handlers }`.
   * Default: none.
   */
  readonly kinds?: readonly (DefineKinds | Partial<Kinds>)[];
  /** Objects that are there from the start, in the order in which they are created. Default: none. */
  readonly objects?: readonly ApiObjectLike[];
  /**
   * `true` for the built-in controllers; a list is of own ones, and of built-in ones by name, with `*` for all that run by
   * default. Default: false, so that nothing happens but what a test does.
   */
  readonly controllers?: boolean | readonly (string | Controller)[];
  /** A moment at which the server's clock stands still until it is moved. Default: it runs, and can be moved all the same. */
  readonly frozenAt?: Moment;
  /** The seed of faults by chance, or a recording whose faults are replayed. Default: a seed made up. */
  readonly faults?: { readonly seed: number } | FaultRecording;
}
