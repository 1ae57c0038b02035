/** The rules that one subject holds, filed so that a decision looks at the few that are about what is asked. */
import type { AuthorizationAttributes } from '../../../runtime/contract/index.js';
import { withoutTrailing } from '../../../runtime/objects/scan/numbers.js';
import type { PolicyRule } from './policy-rule.js';

/** One rule with whatever gives it; where anything will do, the set is absent. */
interface Filed<Source> {
  readonly verbs: ReadonlySet<string> | undefined;
  readonly groups: ReadonlySet<string> | undefined;
  readonly names: ReadonlySet<string> | undefined;
  readonly source: Source;
}

/** Rules for at most this many names are filed by them; others are looked through. It bounds the size of a table. */
const maxFiledNames = 8;

/** Resource rules are filed by their resources and few names, paths by what they are or begin with. */
export class RuleTable<Source> {
  readonly #byResource = new Map<string, Filed<Source>[]>();
  readonly #byName = new Map<string, Filed<Source>[]>();
  readonly #byPath = new Map<string, Filed<Source>[]>();
  readonly #byPathPrefix = new Map<string, Filed<Source>[]>();
  #steps = 0;

  /** How many rules all questions so far could have gone through: a measure of their cost. */
  get steps(): number {
    return this.#steps;
  }

  add(rule: PolicyRule, source: Source): void {
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
    const filed: Filed<Source> = {
      verbs: setOf(verbs),
      groups: setOf(apiGroups),
      names: resourceNames.length === 0 ? undefined : new Set(resourceNames),
      source,
    };
    const fewNames = resourceNames.length > 0 && resourceNames.length <= maxFiledNames;
    for (const resource of resources) {
      if (fewNames) for (const name of resourceNames) put(this.#byName, nameKey(resource, name), filed);
      else put(this.#byResource, resource, filed);
    }
    for (const path of nonResourceURLs) {
      if (path.endsWith('*')) put(this.#byPathPrefix, withoutTrailing(path, '*'), filed);
      else put(this.#byPath, path, filed);
    }
  }

  /** Finds the source of the right to a verb on a resource. */
  ofResource(attributes: Omit<AuthorizationAttributes, 'user'>): Source | undefined {
    const { verb, group, resource, subresource = '', name = '' } = attributes;
    if (subresource === '') {
      return this.#named(resource, verb, group, name) ?? this.#named('*', verb, group, name);
    }
    return (
      this.#named(`${resource}/${subresource}`, verb, group, name) ??
      this.#named('*', verb, group, name) ??
      this.#named(`*/${subresource}`, verb, group, name)
    );
  }

  /** Finds the source of the right to a method on a path that is no resource. */
  ofPath(verb: string, path: string): Source | undefined {
    const found = this.#allowing(this.#byPath.get(path), verb);
    if (found !== undefined || this.#byPathPrefix.size === 0) return found;
    this.#steps += this.#byPathPrefix.size;
    for (const [prefix, filed] of this.#byPathPrefix) {
      const source = path.startsWith(prefix) ? this.#allowing(filed, verb) : undefined;
      if (source !== undefined) return source;
    }
    return undefined;
  }

  #named(resource: string, verb: string, group: string, name: string): Source | undefined {
    const found = this.#byResource.size === 0 ? undefined : this.#byResource.get(resource);
    const source = found && this.#allowing(found, verb, group, name);
    if (source !== undefined || this.#byName.size === 0) return source;
    return this.#allowing(this.#byName.get(nameKey(resource, name)), verb, group, name);
  }

  /** Rules of paths have no groups or names to be held against. */
  #allowing(
    files: readonly Filed<Source>[] | undefined,
    verb: string,
    group?: string,
    name?: string,
  ): Source | undefined {
    if (!files) return undefined;
    this.#steps += files.length;
    for (const { verbs, groups, names, source } of files) {
      if (verbs && !verbs.has(verb)) continue;
      if (group !== undefined && groups && !groups.has(group)) continue;
      if (name !== undefined && names && !names.has(name)) continue;
      return source;
    }
    return undefined;
  }
}

const setOf = (texts: readonly string[]): ReadonlySet<string> | undefined =>
  texts.includes('*') ? undefined : new Set(texts);

/** No resource has a space in it. */
const nameKey = (resource: string, name: string): string => `${resource} ${name}`;

function put<Source>(files: Map<string, Filed<Source>[]>, key: string, filed: Filed<Source>): void {
  const there = files.get(key);
  if (there) there.push(filed);
  else files.set(key, [filed]);
}
