/** Plugins of one kind by their names, which are all different. */

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
