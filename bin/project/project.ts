/** A project: its configuration, read and checked. */
import type { Controller } from '../../controllers/kit/index.js';
import type { Emitter } from '../../generator/index.js';
import type { AdmissionPlugin, Authenticator, Authorizer, KindHandlers } from '../../runtime/contract/index.js';
import type { SettingValue } from './serve-settings.js';

/** Paths are absolute. */
export interface Project {
  /** The configuration file. */
  readonly file: string;
  /** The folder that the file is in. */
  readonly directory: string;
  /** Folder of the definitions; absent where none is named and there is no folder `schemas`. */
  readonly schemas?: string;
  /** Folder that code is generated into. */
  readonly out: string;
  readonly naming: 'platform' | 'kubernetes';
  /** Those of the project, besides the built-in ones. */
  readonly emitters: readonly Emitter[];
  readonly handlers: readonly KindHandlers[];
  readonly admissionPlugins: readonly AdmissionPlugin[];
  readonly authenticators: readonly Authenticator[];
  readonly authorizers: readonly Authorizer[];
  readonly controllers: readonly Controller[];
  /** By the names of flags, as in `http-port`; paths among them are absolute. */
  readonly serve: Readonly<Record<string, SettingValue>>;
  /** The configuration and the modules that it imports, but for those that modules in JavaScript import. */
  readonly sources: readonly string[];
}
