/** The kinds of a server: modules and their code. */
import { readFileSync } from 'node:fs';
import type { AdmissionParts } from '../plugins/index.js';
import type {
  AdmissionPlugin,
  KindHandlers,
  NamedConversion,
  ResourceModule,
  VirtualHandler,
} from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import type { HandlerParts, HandlerSettings } from '../strategies/index.js';

/** The kinds that `createServer`, `defineConverter` and `attributeReader` take. */
export interface Kinds {
  readonly modules: readonly ResourceModule[];
  /**
   * Modules that only later releases have. The server does not serve them, and refuses settings that name them, with
   * the reason.
   */
  readonly laterModules: readonly ResourceModule[];
  /** The modules of the whole definitions, if the server is a release of the project. */
  readonly projectModules?: readonly ResourceModule[];
  readonly handlers: readonly KindHandlers[];
  readonly conversions: readonly NamedConversion[];
  readonly virtualHandlers: readonly VirtualHandler[];
  readonly plugins: readonly AdmissionPlugin[];
  /** Plugins that only run if the server's options enable them. */
  readonly optionalPlugins: readonly AdmissionPlugin[];
}

/** The settings of a server that its kinds use. */
export type KindSettings = HandlerParts & AdmissionParts & Partial<HandlerSettings>;

/** Returns the kinds of a server, under their served names and with its settings. */
export type DefineKinds = (naming: Naming, settings: KindSettings) => Kinds;

/** Combines all kinds of a list into one value. */
export function gatherKinds(
  list: readonly (DefineKinds | Partial<Kinds>)[],
  naming: Naming,
  settings: KindSettings,
): Kinds {
  const all = list.map((one) => (typeof one === 'function' ? one(naming, settings) : one));
  return {
    modules: all.flatMap(({ modules = [] }) => modules),
    laterModules: all.flatMap(({ laterModules = [] }) => laterModules),
    handlers: all.flatMap(({ handlers = [] }) => handlers),
    conversions: all.flatMap(({ conversions = [] }) => conversions),
    virtualHandlers: all.flatMap(({ virtualHandlers = [] }) => virtualHandlers),
    plugins: all.flatMap(({ plugins = [] }) => plugins),
    optionalPlugins: all.flatMap(({ optionalPlugins = [] }) => optionalPlugins),
  };
}

/** The part of the package's manifest that is used here. */
interface ProductManifest {
  readonly version?: string;
  readonly engines?: { readonly node?: string };
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The manifest; absent if the build of the command has not set it. */
declare const productManifest: ProductManifest | undefined;

/** Returns the package's manifest, one folder up in a checkout and two in the package; empty without one. */
export function readManifest(): ProductManifest {
  if (typeof productManifest === 'object') return productManifest;
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
      if (isManifest(manifest)) return manifest;
    } catch {
      // Try the other place.
    }
  }
  return {};
}

/** Returns the package's version; `0.0.0` if unknown. */
export const readProductVersion = (): string => readManifest().version ?? '0.0.0';

const isManifest = (value: unknown): value is ProductManifest =>
  typeof value === 'object' && value !== null && 'version' in value && typeof value.version === 'string';
