/** The rights that somebody's rules add up to, asked one right at a time. */
import type { PolicyRule } from './policy-rule.js';
import { RuleTable } from './rule-table.js';

/** A rule for one verb on one resource or path, and at most one name, by which rules are compared. */
export interface Right {
  readonly verb: string;
  readonly path?: string;
  readonly group: string;
  readonly resource: string;
  readonly name?: string;
}

/** Most comparisons of a right with a rule, about half a second. Rights that are asked for after that are not held. */
const maxSteps = 5_000_000;

export class HeldRights {
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

  /** Whether a rule is allowed because everything of its kind is, so that it need not be taken apart. */
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
