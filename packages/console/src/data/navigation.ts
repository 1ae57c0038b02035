/** Groups kinds for people: their own first, then the built-in ones by topic. */
import type { ServedKind } from 'kindforge/client';

export interface NavigationGroup {
  readonly title: string;
  readonly kinds: readonly ServedKind[];
}

/** Topics of built-in groups, by the first part of the group's name. This part is the same under both namings. */
const topics: readonly (readonly [title: string, groups: readonly string[]])[] = [
  ['Core', ['', 'events']],
  ['Workloads', ['apps', 'batch', 'autoscaling', 'policy']],
  ['Network', ['networking', 'discovery', 'gateway']],
  ['Storage', ['storage', 'snapshot']],
  ['Scheduling', ['scheduling', 'resource', 'node', 'coordination']],
  ['Access', ['rbac', 'authentication', 'authorization', 'certificates']],
  ['Server', ['apiextensions', 'apiregistration', 'admissionregistration', 'flowcontrol', 'internal']],
];

const builtIn = /^(|apps|batch|autoscaling|policy|extensions|(\w+\.)+(k8s|platform)\.io)$/;

/** Returns the groups with listable kinds. Each kind is there once, in its preferred version if that serves it. */
export function navigationOf(kinds: readonly ServedKind[]): readonly NavigationGroup[] {
  const listed = preferred(kinds).filter(({ verbs }) => verbs.includes('list'));
  const own = listed.filter(({ group }) => !builtIn.test(group));
  const titleOf = ({ group }: ServedKind): string =>
    topics.find(([, groups]) => groups.includes(group.split('.')[0] ?? ''))?.[0] ?? 'Other';
  const others = listed.filter((kind) => !own.includes(kind));
  const titles = [...topics.map(([title]) => title), 'Other'];
  return [
    { title: 'Your kinds', kinds: own },
    ...titles.map((title) => ({ title, kinds: others.filter((kind) => titleOf(kind) === title) })),
  ]
    .filter((group) => group.kinds.length > 0)
    .map(({ title, kinds: inGroup }) => ({ title, kinds: inGroup.toSorted(byName) }));
}

/** Returns the listable kinds that the user has defined. */
export const ownKinds = (kinds: readonly ServedKind[]): readonly ServedKind[] =>
  navigationOf(kinds).find(({ title }) => title === 'Your kinds')?.kinds ?? [];

const byName = (a: ServedKind, b: ServedKind): number => a.kind.localeCompare(b.kind) || a.group.localeCompare(b.group);

/** Returns each resource once. */
function preferred(kinds: readonly ServedKind[]): ServedKind[] {
  const chosen = new Map<string, ServedKind>();
  for (const kind of kinds) {
    const key = `${kind.group}/${kind.plural}`;
    if (!chosen.has(key) || kind.isPreferred) chosen.set(key, kind);
  }
  return [...chosen.values()];
}
