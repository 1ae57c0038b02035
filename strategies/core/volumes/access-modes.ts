/** Access modes of volumes in the short form of tables. */

const shortForms = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

/** The modes as tables show them: `RWO,ROX`. */
export const accessModesText = (modes: readonly string[] = []): string =>
  shortForms.flatMap(([mode, short]) => (modes.includes(mode) ? [short] : [])).join(',');
