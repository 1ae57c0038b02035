/** The keys of a project's configuration: the one table from which reading, editors' schema and documentation follow. */

/** A kind of part that a project adds to what Kindforge has. */
export type PartKind = 'emitter' | 'handlers' | 'admissionPlugin' | 'authenticator' | 'authorizer' | 'controller';

/** The values that a key takes. */
export type SettingKind = 'folder' | 'naming' | 'settings' | { readonly part: PartKind };

export interface ProjectSetting {
  readonly kind: SettingKind;
  readonly about: string;
  /** In words or as a value; absent where there is none. */
  readonly byDefault?: string;
}

/** In the order of the documentation. */
export const projectSettings = {
  schemas: {
    kind: 'folder',
    about: 'folder of the definitions',
    byDefault: 'schemas, where there is such a folder',
  },
  out: { kind: 'folder', about: 'folder that code is generated into', byDefault: 'generated' },
  naming: {
    kind: 'naming',
    about: 'names of API groups: platform, or kubernetes for Kubernetes clients',
    byDefault: 'platform',
  },
  emitters: { kind: { part: 'emitter' }, about: 'emitters that run after the built-in ones' },
  handlers: { kind: { part: 'handlers' }, about: 'what kinds do beyond their schemas' },
  admissionPlugins: {
    kind: { part: 'admissionPlugin' },
    about: 'admission plugins that run after the built-in ones, and before webhooks and policies',
  },
  authenticators: { kind: { part: 'authenticator' }, about: 'authenticators that are asked after the built-in ones' },
  authorizers: {
    kind: { part: 'authorizer' },
    about: 'authorizers that are asked after the modes of the server, in order',
  },
  controllers: {
    kind: { part: 'controller' },
    about: 'controllers that run with the server, or by kindforge controllers',
  },
  serve: { kind: 'settings', about: 'settings of kindforge serve: its flags without their dashes' },
} as const satisfies Readonly<Record<string, ProjectSetting>>;
