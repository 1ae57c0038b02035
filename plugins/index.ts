/** The plugins that come with the server, and a table to find plugins by name. */
export { type CompiledAccess, compileAccess, compileAccessRule } from './access-expressions.js';
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

export interface Named {
  readonly name: string;
}

/** Plugins by name in their order, or the names that occur twice. */
export type PluginTable<T extends Named> =
  | { readonly ok: true; readonly plugins: ReadonlyMap<string, T> }
  | { readonly ok: false; readonly duplicates: readonly string[] };

/** Indexes plugins by name. */
export function pluginsByName<T extends Named>(plugins: readonly T[]): PluginTable<T> {
  const table = new Map<string, T>();
  const duplicates = new Set<string>();
  for (const plugin of plugins) {
    if (table.has(plugin.name)) duplicates.add(plugin.name);
    else table.set(plugin.name, plugin);
  }
  return duplicates.size === 0 ? { ok: true, plugins: table } : { ok: false, duplicates: [...duplicates] };
}
