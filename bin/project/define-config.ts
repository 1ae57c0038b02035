/** The configuration of a project, as `kindforge.config.ts` exports it. */
import type { Controller } from '../../controllers/kit/index.js';
import type { Emitter } from '../../generator/index.js';
import type { AdmissionPlugin, Authenticator, Authorizer, KindHandlers } from '../../runtime/contract/index.js';
import type { ServeSettings } from './serve-settings.js';

/** A value, or the path of a module whose default export is one, or a list of some. */
export type PartOf<T> = T | string;

/** Everything is optional. Paths are relative to the folder of the file. */
export interface ProjectConfig {
  /** Folder of the definitions. Default: `schemas`, where there is such a folder. */
  readonly schemas?: string;
  /** Folder that code is generated into. Default: `generated`. */
  readonly out?: string;
  /** Names of API groups: `platform`, or `kubernetes` for Kubernetes clients. Default: `platform`. */
  readonly naming?: 'platform' | 'kubernetes';
  /** Emitters that run after the built-in ones. */
  readonly emitters?: readonly PartOf<Emitter>[];
  /** What kinds do beyond their schemas, as the printed `define…Handlers` returns them. */
  readonly handlers?: readonly PartOf<KindHandlers>[];
  /** Plugins that run after the built-in ones, and before webhooks and policies. */
  readonly admissionPlugins?: readonly PartOf<AdmissionPlugin>[];
  /** Asked after the built-in ones, in order. */
  readonly authenticators?: readonly PartOf<Authenticator>[];
  /** Asked after the modes of the server, in order. */
  readonly authorizers?: readonly PartOf<Authorizer>[];
  /** Controllers that run with the server, or by `kindforge controllers`. */
  readonly controllers?: readonly PartOf<Controller>[];
  /** Settings of `kindforge serve`: its flags without their dashes. Flags and the environment come first. */
  readonly serve?: ServeSettings;
}

/** Returns what it is given: editors know its keys, and the compiler checks its values. */
export const defineConfig = (config: ProjectConfig): ProjectConfig => config;
