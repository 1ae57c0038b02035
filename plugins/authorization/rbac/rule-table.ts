/** The rules that one subject holds, filed so that a decision looks at the few that are about what is asked. */
import type { AuthorizationAttributes } from '../../../runtime/contract/index.js';
import type { PolicyRule } from './policy-rule.js';

/** One rule with whatever gives it; where anything will do, the set is absent. */
interface Filed<Source> {
  readonly verbs: ReadonlySet<string> | undefined;
  readonly groups: ReadonlySet<string> | undefined;
  readonly names: ReadonlySet<string> | undefined;
  readonly source: Source;
}

/**
 * Resource rules are filed by their resources, so a table takes no more room than the rules themselves, and paths by
 * what they are or begin with.
 */
export class RuleTable<Source> {
  readonly #byResource = new Map<string, Filed<Source>[]>();
  readonly #byPath = new Map<string, Filed<Source>[]>();
  readonly #byPathPrefix = new Map<string, Filed<Source>[]>();

  add(rule: PolicyRule, source: Source): void {
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
    const filed: Filed<Source> = {
      verbs: setOf(verbs),
      groups: setOf(apiGroups),
      names: resourceNames.length === 0 ? undefined : new Set(resourceNames),
      source,
    };
    for (const resource of resources) put(this.#byResource, resource, filed);
    for (const path of nonResourceURLs) {
      if (path.endsWith('*')) put(this.#byPathPrefix, path.replace(/\*+$/, ''), filed);
      else put(this.#byPath, path, filed);
    }
  }

  /** Finds the source of the right to a verb on a resource. */
  ofResource({ verb, group, resource, subresource = '', name = '' }: AuthorizationAttributes): Source | undefined {
    const files = this.#byResource;
    if (files.size === 0) return undefined;
    if (subresource === '') {
      return allowing(files.get(resource), verb, group, name) ?? allowing(files.get('*'), verb, group, name);
    }
    return (
      allowing(files.get(`${resource}/${subresource}`), verb, group, name) ??
      allowing(files.get('*'), verb, group, name) ??
      allowing(files.get(`*/${subresource}`), verb, group, name)
    );
  }

  /** Finds the source of the right to a method on a path that is no resource. */
  ofPath(verb: string, path: string): Source | undefined {
    const found = allowing(this.#byPath.get(path), verb);
    if (found !== undefined || this.#byPathPrefix.size === 0) return found;
    for (const [prefix, filed] of this.#byPathPrefix) {
      const source = path.startsWith(prefix) ? allowing(filed, verb) : undefined;
      if (source !== undefined) return source;
    }
    return undefined;
  }
}

const setOf = (texts: readonly string[]): ReadonlySet<string> | undefined =>
  texts.includes('*') ? undefined : new Set(texts);

function put<Source>(files: Map<string, Filed<Source>[]>, key: string, filed: Filed<Source>): void {
  const there = files.get(key);
  if (there) there.push(filed);
  else files.set(key, [filed]);
}

/** Rules of paths have no groups or names to be held against. */
function allowing<Source>(
  files: readonly Filed<Source>[] | undefined,
  verb: string,
  group?: string,
  name?: string,
): Source | undefined {
  if (!files) return undefined;
  for (const { verbs, groups, names, source } of files) {
    if (verbs && !verbs.has(verb)) continue;
    if (group !== undefined && groups && !groups.has(group)) continue;
    if (name !== undefined && names && !names.has(name)) continue;
    return source;
  }
  return undefined;
}
