/** Kinds as a server takes them: modules, and all that they do beyond their schemas. */
import { readFileSync } from 'node:fs';
import type { AdmissionParts } from '../plugins/index.js';
import type {
  AdmissionPlugin,
  KindHandlers,
  NamedConversion,
  ResourceModule,
  VirtualHandler,
} from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import type { HandlerParts, HandlerSettings } from '../strategies/index.js';

/** As `createServer`, `defineConverter` and `attributeReader` take them. */
export interface Kinds {
  readonly modules: readonly ResourceModule[];
  readonly handlers: readonly KindHandlers[];
  readonly conversions: readonly NamedConversion[];
  readonly virtualHandlers: readonly VirtualHandler[];
  readonly plugins: readonly AdmissionPlugin[];
  /** Plugins that run only where the options of the server say so. */
  readonly optionalPlugins: readonly AdmissionPlugin[];
}

/** The settings of a server that its kinds act on. */
export type KindSettings = HandlerParts & AdmissionParts & Partial<HandlerSettings>;

/** Kinds of a server: under the names that are served, and told of the server. */
export type DefineKinds = (naming: Naming, settings: KindSettings) => Kinds;

/** All kinds of a list as one value. */
export function gatherKinds(
  list: readonly (DefineKinds | Partial<Kinds>)[],
  naming: Naming,
  settings: KindSettings,
): Kinds {
  const all = list.map((one) => (typeof one === 'function' ? one(naming, settings) : one));
  return {
    modules: all.flatMap(({ modules = [] }) => modules),
    handlers: all.flatMap(({ handlers = [] }) => handlers),
    conversions: all.flatMap(({ conversions = [] }) => conversions),
    virtualHandlers: all.flatMap(({ virtualHandlers = [] }) => virtualHandlers),
    plugins: all.flatMap(({ plugins = [] }) => plugins),
    optionalPlugins: all.flatMap(({ optionalPlugins = [] }) => optionalPlugins),
  };
}

/** The part of the package's own manifest that is read. */
interface ProductManifest {
  readonly version?: string;
  readonly engines?: { readonly node?: string };
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The package's own manifest, which lies one folder up in a checkout and two in a build; empty without one. */
export function readManifest(): ProductManifest {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
      if (isManifest(manifest)) return manifest;
    } catch {
      // Not there: the other place has it.
    }
  }
  return {};
}

/** `0.0.0` where nothing says so. */
export const readProductVersion = (): string => readManifest().version ?? '0.0.0';

const isManifest = (value: unknown): value is ProductManifest =>
  typeof value === 'object' && value !== null && 'version' in value && typeof value.version === 'string';
