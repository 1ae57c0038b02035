/** The order in which discovery lists groups: that of the reference for its own, then all others by their names. */

/** First labels of the reference's groups, which are the same under every naming. */
const order: readonly string[] = [
  'apiregistration',
  'apps',
  'events',
  'authentication',
  'authorization',
  'autoscaling',
  'batch',
  'certificates',
  'networking',
  'policy',
  'rbac',
  'storage',
  'admissionregistration',
  'apiextensions',
  'scheduling',
  'coordination',
  'node',
  'discovery',
  'flowcontrol',
  'internal',
  'resource',
];

/** Compares groups, of which those with built-in kinds come first. */
export function compareGroups(isBuiltIn: (group: string) => boolean): (a: string, b: string) => number {
  const rankOf = (group: string): number => {
    const rank = isBuiltIn(group) ? order.indexOf(group.split('.')[0] ?? '') : -1;
    return rank === -1 ? order.length : rank;
  };
  return (a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1);
}
