/** A project: its configuration, read and checked. */
import type { Controller } from '../../controllers/kit/index.js';
import type { Emitter } from '../../generator/index.js';
import type { AdmissionPlugin, Authenticator, Authorizer, KindHandlers } from '../../runtime/contract/index.js';
import type { ServerHook, StartOptions } from '../../server/options.js';
import type { ServeSettings, SettingValue } from './serve-settings.js';

/** Paths are absolute. */
export interface Project {
  /** The configuration file. */
  readonly file: string;
  /** The folder that the file is in. */
  readonly directory: string;
  /** The folder of the definitions; absent if the configuration names none and the folder `schemas` does not exist. */
  readonly schemas?: string;
  /** Folder that code is generated into. */
  readonly out: string;
  readonly naming: 'platform' | 'kubernetes';
  /** The project's own emitters, besides the built-in ones. */
  readonly emitters: readonly Emitter[];
  readonly handlers: readonly KindHandlers[];
  readonly admissionPlugins: readonly AdmissionPlugin[];
  readonly authenticators: readonly Authenticator[];
  readonly authorizers: readonly Authorizer[];
  readonly controllers: readonly Controller[];
  /** A folder of pages. */
  readonly static?: string | undefined;
  readonly routes?: StartOptions['routes'] | undefined;
  readonly onStart?: ServerHook | undefined;
  readonly onStop?: ServerHook | undefined;
  /** By the names of flags, as in `http-port`. Paths are absolute. */
  readonly serve: Readonly<Record<string, SettingValue>>;
  /** The configuration and the modules that it imports, except modules that only JavaScript modules import. */
  readonly sources: readonly string[];
}

/** A project in a bundle. Its code is in the running file, and its definitions are in a folder beside this file. */
export interface BundledProject {
  /** The folder of the bundle. */
  readonly directory: string;
  readonly hasSchemas: boolean;
  readonly hasPages: boolean;
  readonly config: () => Promise<{ readonly default?: unknown }>;
  /** Modules that the configuration names, by their paths relative to it. */
  readonly modules: Readonly<Record<string, () => Promise<{ readonly default?: unknown }>>>;
}

/** The folder of the definitions in a bundle. */
export const bundledSchemas = 'schemas';

/** The folder of the pages in a bundle. */
export const bundledPages = 'static';

/**
 * The configuration of a project has mistakes. The message has a line for each, with the file, the line if known, and
 * the expected value.
 */
export class ProjectError extends Error {}

// The keys of a project's configuration. Reading, the schema for editors and the documentation all use this one table.

/** A kind of part that a project can add. */
export type PartKind = 'emitter' | 'handlers' | 'admissionPlugin' | 'authenticator' | 'authorizer' | 'controller';

type SettingKind = 'folder' | 'naming' | 'settings' | 'function' | { readonly part: PartKind };

/** A key of the configuration. */
export interface ProjectSetting {
  readonly kind: SettingKind;
  readonly about: string;
  /** In words or as a value; absent if the key has no default. */
  readonly byDefault?: string;
  /** The page, or the part of docs/configuration.md, that says more. */
  readonly page?: string;
}

/** In the order of the documentation. */
export const projectSettings = {
  schemas: {
    kind: 'folder',
    about: 'folder of the definitions',
    page: 'definitions.md',
    byDefault: 'schemas, if there is such a folder',
  },
  out: { kind: 'folder', about: 'folder that code is generated into', byDefault: 'generated', page: 'generate.md' },
  naming: {
    kind: 'naming',
    about: 'names of API groups: platform, or kubernetes for Kubernetes clients',
    byDefault: 'platform',
    page: 'naming.md',
  },
  emitters: { kind: { part: 'emitter' }, about: 'emitters that run after the built-in ones', page: 'emitters.md' },
  handlers: { kind: { part: 'handlers' }, about: 'what kinds do beyond their schemas', page: 'handlers.md' },
  admissionPlugins: {
    kind: { part: 'admissionPlugin' },
    about: 'admission plugins that run after the built-in ones, and before webhooks and policies',
    page: 'admission.md',
  },
  authenticators: {
    kind: { part: 'authenticator' },
    about: 'authenticators that the server asks after the built-in ones',
    page: 'authentication.md',
  },
  authorizers: {
    kind: { part: 'authorizer' },
    about: 'authorizers that the server asks after its modes, in order',
    page: 'authorization.md',
  },
  controllers: {
    kind: { part: 'controller' },
    about: 'controllers that run with the server, or in kindforge controllers',
    page: 'controllers.md',
  },
  static: {
    kind: 'folder',
    about: 'folder of pages that the server gives to everybody, beside the API',
    page: '#pages-routes-and-hooks',
  },
  routes: {
    kind: 'function',
    about: 'adds routes and middleware to the app of the server',
    page: '#pages-routes-and-hooks',
  },
  onStart: { kind: 'function', about: 'is called with the server once it serves; the server stops if it throws' },
  onStop: { kind: 'function', about: 'is called with the server when it must stop, while it still serves' },
  serve: { kind: 'settings', about: 'settings of kindforge serve: its flags without their dashes', page: 'flags.md' },
} as const satisfies Readonly<Record<string, ProjectSetting>>;

/** A value, or the path of a module with a value or a list of values as its default export. */
export type PartOf<T> = T | string;

/** Everything is optional. Paths are relative to the folder of the file. */
export interface ProjectConfig {
  /** Folder of the definitions. Default: `schemas`, if there is such a folder. */
  readonly schemas?: string;
  /** Folder that code is generated into. Default: `generated`. */
  readonly out?: string;
  /** Names of API groups: `platform`, or `kubernetes` for Kubernetes clients. Default: `platform`. */
  readonly naming?: 'platform' | 'kubernetes';
  /** Emitters that run after the built-in ones. */
  readonly emitters?: readonly PartOf<Emitter>[];
  /** Handlers of kinds, as the printed `define…Handlers` returns them. */
  readonly handlers?: readonly PartOf<KindHandlers>[];
  /** Plugins that run after the built-in ones, and before webhooks and policies. */
  readonly admissionPlugins?: readonly PartOf<AdmissionPlugin>[];
  /** Authenticators that the server asks after the built-in ones, in order. */
  readonly authenticators?: readonly PartOf<Authenticator>[];
  /** Authorizers that the server asks after its modes, in order. */
  readonly authorizers?: readonly PartOf<Authorizer>[];
  /** Controllers that run with the server, or in `kindforge controllers`. */
  readonly controllers?: readonly PartOf<Controller>[];
  /** Folder of pages with an `index.html`. The server gives these to everybody, even without credentials. */
  readonly static?: string;
  /**
   * Adds routes and middleware of h3 to the app of the server. `event.context` has the user, and a function that checks
   * rights.
   */
  readonly routes?: NonNullable<StartOptions['routes']>;
  /** Called once the server serves. If it throws, the server stops. */
  readonly onStart?: ServerHook;
  /** Called when the server must stop, while it still serves. */
  readonly onStop?: ServerHook;
  /** Settings of `kindforge serve`: its flags without their dashes. Flags and the environment come first. */
  readonly serve?: ServeSettings;
}

/** Returns its argument. Editors complete the keys, and the compiler checks the values. */
export const defineConfig = (config: ProjectConfig): ProjectConfig => config;
