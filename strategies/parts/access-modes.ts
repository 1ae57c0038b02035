/** Access modes of volumes, as tables show them. */

const short = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

/** As in `RWO,ROX`, each once. */
export function accessModeText(modes: readonly string[]): string {
  return short.flatMap(([mode, text]) => (modes.includes(mode) ? [text] : [])).join(',');
}
