/** Finds the rights that recorded requests need, and the rules that grant just these. */
import type { PolicyRule } from '../../plugins/index.js';
import type { AccessAttributes } from '../../runtime/contract/index.js';

/** Rules of a role in one namespace, or in the cluster if `namespace` is empty. */
export interface ScopedRules {
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
}

/**
 * A right to one verb. The resource includes the subresource, as in `pods/log`. Without a name, the right is for all
 * objects.
 */
interface Right {
  readonly namespace: string;
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  readonly verb: string;
}

/** Returns the fewest rights in the fewest rules; the rules of the cluster come first. */
export function smallestRules(asked: readonly AccessAttributes[]): readonly ScopedRules[] {
  const needed = [...grouped(unique(asked.flatMap(rightOf))).values()].flatMap(withoutCovered);
  const places = [...new Set(needed.map(({ namespace }) => namespace))].sort();
  const paths = pathRules(asked);
  const scoped = places.map((namespace) => ({
    namespace,
    rules: mergedRules(needed.filter((right) => right.namespace === namespace)),
  }));
  if (paths.length === 0) return scoped;
  const [cluster, rest] = scoped[0]?.namespace === '' ? [scoped[0].rules, scoped.slice(1)] : [[], scoped];
  return [{ namespace: '', rules: [...cluster, ...paths] }, ...rest];
}

function rightOf(asked: AccessAttributes): readonly Right[] {
  if ('path' in asked) return [];
  const { verb, group, resource, subresource = '', namespace = '', name = '' } = asked;
  return [{ namespace, group, resource: subresource === '' ? resource : `${resource}/${subresource}`, name, verb }];
}

const unique = (rights: readonly Right[]): readonly Right[] => [
  ...new Map(rights.map((right) => [JSON.stringify(Object.values(right)), right])).values(),
];

/** Groups rights that differ only in namespace and name. */
function grouped(rights: readonly Right[]): ReadonlyMap<string, readonly Right[]> {
  const groups = new Map<string, Right[]>();
  for (const right of rights) {
    const key = JSON.stringify([right.group, right.resource, right.verb]);
    const there = groups.get(key);
    if (there) there.push(right);
    else groups.set(key, [right]);
  }
  return groups;
}

/**
 * Drops rights that others cover: a right in the cluster covers all namespaces, one without a name covers all names.
 */
function withoutCovered(rights: readonly Right[]): readonly Right[] {
  const held = new Set(rights.map(({ namespace, name }) => `${namespace}/${name}`));
  const wider = ({ namespace, name }: Right): readonly string[] =>
    [`/`, `/${name}`, `${namespace}/`].filter((place) => place !== `${namespace}/${name}`);
  return rights.filter((right) => !wider(right).some((place) => held.has(place)));
}

const verbOrder = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

const byVerb = (a: string, b: string): number => {
  const [one, other] = [a, b].map((verb) => verbOrder.indexOf(verb) + 1 || verbOrder.length + 1);
  return (one ?? 0) - (other ?? 0) || compare(a, b);
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Merges rules that differ in one part only, because the rights then stay the same. */
function mergedRules(rights: readonly Right[]): readonly PolicyRule[] {
  const single = rights.map(
    ({ group, resource, name, verb }): PolicyRule => ({
      verbs: [verb],
      apiGroups: [group],
      resources: [resource],
      resourceNames: name === '' ? [] : [name],
      nonResourceURLs: [],
    }),
  );
  const merged = (['verbs', 'resourceNames', 'resources', 'apiGroups'] as const).reduce(mergeBy, single);
  return [...merged].sort((a, b) => compare(keyOf(a), keyOf(b)));
}

/** Orders rules by group and resource; rules for all names come first. */
const keyOf = ({ apiGroups, resources, resourceNames }: PolicyRule): string =>
  JSON.stringify([apiGroups, resources, resourceNames.length, resourceNames]);

/**
 * Merges rules that differ in one part only. Does not merge rules without names with others: they are for all names.
 */
function mergeBy(rules: readonly PolicyRule[], part: keyof PolicyRule): readonly PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const isForAll = part === 'resourceNames' && rule.resourceNames.length === 0;
    const key = JSON.stringify([isForAll, { ...rule, [part]: [] }]);
    const words = [...new Set([...(merged.get(key)?.[part] ?? []), ...rule[part]])];
    merged.set(key, { ...rule, [part]: part === 'verbs' ? words.sort(byVerb) : words.sort(compare) });
  }
  return [...merged.values()];
}

function pathRules(asked: readonly AccessAttributes[]): readonly PolicyRule[] {
  const single = asked.flatMap((one): readonly PolicyRule[] =>
    'path' in one
      ? [{ verbs: [one.verb], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [one.path] }]
      : [],
  );
  return (['verbs', 'nonResourceURLs'] as const).reduce<readonly PolicyRule[]>(mergeBy, single);
}
