/** The order in which discovery lists groups: clients that are given a short name take the first group that has it. */

/** Built-in groups in the order of the reference, without the domain that the naming gives them. */
const ranked: readonly string[] = [
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
  'rbac.authorization',
  'storage',
  'admissionregistration',
  'apiextensions',
  'scheduling',
  'coordination',
  'node',
  'discovery',
  'flowcontrol.apiserver',
  'internal.apiserver',
  'resource',
  'storagemigration',
];

/** Compares two groups: built-in ones by their rank, before all others, which go by their names. */
export function compareGroups(a: string, b: string): number {
  return rankOf(a) - rankOf(b) || (a < b ? -1 : 1);
}

function rankOf(group: string): number {
  const rank = ranked.indexOf(group.replace(/\.(?:platform|k8s)\.io$/, ''));
  return rank < 0 ? ranked.length : rank;
}
