/** The rules of one subject, indexed so that a decision looks at few of them. */
import type { AuthorizationAttributes, JsonObject } from '../../../runtime/contract/index.js';
import { getOwn, isArray, isObject, isStringArray } from '../../../runtime/objects/guards.js';
import { withoutTrailing } from '../../../runtime/objects/scan/numbers.js';

/** One rule and its source. A missing set matches everything. */
interface Filed<Source> {
  readonly verbs: ReadonlySet<string> | undefined;
  readonly groups: ReadonlySet<string> | undefined;
  readonly names: ReadonlySet<string> | undefined;
  readonly source: Source;
}

/** Rules with at most this many names are indexed by name; others are searched. It bounds the size of a table. */
const maxFiledNames = 8;

/** Resource rules are indexed by resource and name, path rules by exact path or prefix. */
export class RuleTable<Source> {
  readonly #byResource = new Map<string, Filed<Source>[]>();
  readonly #byName = new Map<string, Filed<Source>[]>();
  readonly #byPath = new Map<string, Filed<Source>[]>();
  readonly #byPathPrefix = new Map<string, Filed<Source>[]>();
  #steps = 0;

  /** The number of rules that all lookups so far may have compared: a measure of their cost. */
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

  /** Finds the source of the right to a method on a path that is not a resource. */
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

  /** Searches rules. Path rules have no groups or names to compare. */
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

/** Joins resource and name; a resource contains no space. */
const nameKey = (resource: string, name: string): string => `${resource} ${name}`;

function put<Source>(files: Map<string, Filed<Source>[]>, key: string, filed: Filed<Source>): void {
  const there = files.get(key);
  if (there) there.push(filed);
  else files.set(key, [filed]);
}

/** One rule: verbs on resources or on other paths. `*` matches everything; a rule without names matches all names. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** Reads the rules of a Role or ClusterRole. */
export function rulesOf(role: JsonObject): readonly PolicyRule[] {
  const rules = getOwn(role, 'rules');
  return isArray(rules) ? rules.filter(isObject).map(readRule) : [];
}

const readRule = (rule: JsonObject): PolicyRule => ({
  verbs: texts(rule, 'verbs'),
  apiGroups: texts(rule, 'apiGroups'),
  resources: texts(rule, 'resources'),
  resourceNames: texts(rule, 'resourceNames'),
  nonResourceURLs: texts(rule, 'nonResourceURLs'),
});

function texts(rule: JsonObject, field: string): readonly string[] {
  const list = getOwn(rule, field);
  return isStringArray(list) ? list : [];
}
