/** Finds the rules that a set of rules does not cover. */
import { quote } from '../../../runtime/objects/printing.js';
import { type PolicyRule, RuleTable } from './rule-table.js';

/**
 * The most single rights that are compared one by one. A few lines of rules can hold more rights than the server has
 * time for; rules with more than this count as not covered.
 */
const maxRights = 100_000;

/** Returns the rules of `wanted` that `held` does not cover, as sorted texts. Verbs on the same resource are joined. */
export function uncovered(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly string[] {
  const rights = new HeldRights(held);
  const open = wanted.filter((rule) => !rights.allowsEverythingOf(rule));
  if (open.reduce((sum, rule) => sum + countRights(rule), 0) > maxRights) return open.map(describeRule).sort();
  const missing = open.flatMap(rightsOf).filter((right) => !rights.allows(right));
  return [...new Set(merged(missing).map(describeRule))].sort();
}

const countRights = ({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number =>
  verbs.length * (nonResourceURLs.length + apiGroups.length * resources.length * Math.max(1, resourceNames.length));

function rightsOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): readonly Right[] {
  const onResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb): readonly Right[] =>
        resourceNames.length === 0
          ? [{ verb, group, resource }]
          : resourceNames.map((name) => ({ verb, group, resource, name })),
      ),
    ),
  );
  const onPaths = nonResourceURLs.flatMap((path) => verbs.map((verb) => ({ verb, path, group: '', resource: '' })));
  return [...onResources, ...onPaths];
}

/** Joins rights back into rules, one per resource and name with all of its verbs. */
function merged(rights: readonly Right[]): readonly PolicyRule[] {
  const rules = new Map<string, { right: Right; verbs: string[] }>();
  for (const right of rights) {
    const { verb, path, group, resource, name } = right;
    // Each path is reported with each of its verbs.
    const key = JSON.stringify(path === undefined ? [group, resource, name] : [path, verb]);
    const rule = rules.get(key) ?? { right, verbs: [] };
    rule.verbs.push(verb);
    rules.set(key, rule);
  }
  return [...rules.values()].map(({ right: { path, group, resource, name }, verbs }) => ({
    verbs,
    apiGroups: path === undefined ? [group] : [],
    resources: path === undefined ? [resource] : [],
    resourceNames: name === undefined ? [] : [name],
    nonResourceURLs: path === undefined ? [] : [path],
  }));
}

/** Returns a rule as messages write it. */
function describeRule({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: PolicyRule): string {
  const parts = Object.entries({
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs,
  });
  const said = parts.filter(([, words]) => words.length > 0).map(([name, words]) => `${name}:${quoted(words)}`);
  return `{${said.join(', ')}}`;
}

/** Returns quoted texts in brackets, as messages write lists. */
export const quoted = (words: readonly string[]): string => `[${words.map(quote).join(' ')}]`;

/** A rule for one verb on one resource or path and at most one name: the unit of comparison. */
interface Right {
  readonly verb: string;
  readonly path?: string;
  readonly group: string;
  readonly resource: string;
  readonly name?: string;
}

/** The most comparisons of a right with a rule, about half a second. Rights after that count as not held. */
const maxSteps = 5_000_000;

class HeldRights {
  readonly #table = new RuleTable<true>();
  readonly #allResources: boolean;
  readonly #allPaths: boolean;

  constructor(rules: readonly PolicyRule[]) {
    for (const rule of rules) this.#table.add(rule, true);
    const forAnyVerb = rules.filter(({ verbs }) => verbs.includes('*'));
    this.#allPaths = forAnyVerb.some(({ nonResourceURLs }) => nonResourceURLs.includes('*'));
    this.#allResources = forAnyVerb.some(
      ({ apiGroups, resources, resourceNames }) =>
        resourceNames.length === 0 && apiGroups.includes('*') && resources.includes('*'),
    );
  }

  /** Returns whether a rule needs no comparison, because all resources or all paths are allowed. */
  allowsEverythingOf({ resources, nonResourceURLs }: PolicyRule): boolean {
    return (resources.length === 0 || this.#allResources) && (nonResourceURLs.length === 0 || this.#allPaths);
  }

  allows({ verb, path, group, resource: pattern, name }: Right): boolean {
    if (this.#table.steps > maxSteps) return false;
    if (path !== undefined) return this.#table.ofPath(verb, path) === true;
    const [resource = '', ...subresource] = pattern.split('/');
    return this.#table.ofResource({ verb, group, resource, subresource: subresource.join('/'), name }) === true;
  }
}
