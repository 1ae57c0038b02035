/** The plugins that come with the server, and how they are found by name. */
export * from './admission/index.js';
export * from './audit/index.js';
export { readSigningAuthority, type SigningAuthority } from './authentication/certificate-authority.js';
export * from './authentication/index.js';
export * from './authorization/index.js';
export {
  agentNameOf,
  defineRequestSigner,
  type RequestedCertificate,
  type SignerId,
  type SigningResult,
} from './signing.js';

/** Anything that goes by a name. */
export interface Named {
  readonly name: string;
}

/** Plugins in their order, or the names that two of them share. */
export type PluginTable<T extends Named> =
  | { readonly ok: true; readonly plugins: ReadonlyMap<string, T> }
  | { readonly ok: false; readonly duplicates: readonly string[] };

/** Puts plugins into a table. */
export function pluginsByName<T extends Named>(plugins: readonly T[]): PluginTable<T> {
  const table = new Map<string, T>();
  const duplicates = new Set<string>();
  for (const plugin of plugins) {
    if (table.has(plugin.name)) duplicates.add(plugin.name);
    else table.set(plugin.name, plugin);
  }
  return duplicates.size === 0 ? { ok: true, plugins: table } : { ok: false, duplicates: [...duplicates] };
}
