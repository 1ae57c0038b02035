/** Adds to roles and bindings what they lack, and takes nothing away. */
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { isArray, isObject, isStringArray } from '../../../runtime/objects/guards.js';
import type { BringIntoLine, StartObject, WantedObject } from './ensure-objects.js';

/** A role with all wanted rules, selectors, labels and annotations. */
export const extendRole: BringIntoLine = (found, wanted) => {
  const rules = objectsIn(found.rules);
  const missing = objectsIn(wanted.rules).flatMap((rule) => uncovered(rule, rules));
  const selectors = selectorsOf(found);
  const missingSelectors = selectorsOf(wanted).filter((one) => !selectors.some((known) => equal(one, known)));
  const metadata = extendedMetadata(found, wanted);
  if (missing.length === 0 && missingSelectors.length === 0 && metadata === undefined) return undefined;
  return {
    ...found,
    metadata: metadata ?? found.metadata,
    ...(missing.length === 0 ? {} : { rules: [...rules, ...missing] }),
    ...(missingSelectors.length === 0
      ? {}
      : { aggregationRule: { clusterRoleSelectors: [...selectors, ...missingSelectors] } }),
  };
};

/** A binding with all wanted subjects, labels and annotations. Its role cannot be changed. */
export const extendBinding: BringIntoLine = (found, wanted) => {
  const subjects = objectsIn(found.subjects);
  const missing = objectsIn(wanted.subjects).filter((one) => !subjects.some((known) => equal(one, known)));
  const metadata = extendedMetadata(found, wanted);
  if (missing.length === 0 && metadata === undefined) return undefined;
  return { ...found, metadata: metadata ?? found.metadata, subjects: [...subjects, ...missing] };
};

const objectsIn = (list: JsonValue | undefined): readonly JsonObject[] => (isArray(list) ? list.filter(isObject) : []);

function selectorsOf(role: { readonly aggregationRule?: JsonValue }): readonly JsonObject[] {
  const { aggregationRule } = role;
  return isObject(aggregationRule) ? objectsIn(aggregationRule.clusterRoleSelectors) : [];
}

/** Labels and annotations with those that are missing or other than wanted; `undefined` where none are. */
function extendedMetadata(found: StartObject, wanted: WantedObject): StartObject['metadata'] | undefined {
  const [labels, annotations] = [wanted.metadata.labels ?? {}, wanted.metadata.annotations ?? {}];
  const has = (own: Readonly<Record<string, string>> | undefined, all: Readonly<Record<string, string>>): boolean =>
    Object.entries(all).every(([key, value]) => own?.[key] === value);
  const { metadata } = found;
  if (has(metadata.labels, labels) && has(metadata.annotations, annotations)) return undefined;
  return {
    ...metadata,
    labels: { ...metadata.labels, ...labels },
    annotations: { ...metadata.annotations, ...annotations },
  };
}

/** A rule for one verb and one resource or path, by which rules are compared. */
interface Right {
  readonly verb: string;
  readonly path?: string;
  readonly group: string;
  readonly resource: string;
  readonly name?: string;
}

/** What of a rule no other rule allows: the rule itself where it is anything. */
function uncovered(rule: JsonObject, others: readonly JsonObject[]): readonly JsonObject[] {
  return rightsOf(rule).every((right) => others.some((other) => allows(other, right))) ? [] : [rule];
}

function rightsOf(rule: JsonObject): readonly Right[] {
  const verbs = words(rule.verbs);
  const nothing = { group: '', resource: '' };
  const onPaths = verbs.flatMap((verb) => words(rule.nonResourceURLs).map((path) => ({ ...nothing, verb, path })));
  const onResources = verbs.flatMap((verb) =>
    words(rule.apiGroups).flatMap((group) =>
      words(rule.resources).flatMap((resource): readonly Right[] => {
        const names = words(rule.resourceNames);
        return names.length === 0
          ? [{ verb, group, resource }]
          : names.map((name) => ({ verb, group, resource, name }));
      }),
    ),
  );
  return [...onPaths, ...onResources];
}

const words = (list: JsonValue | undefined): readonly string[] => (isArray(list) && isStringArray(list) ? list : []);

function allows(rule: JsonObject, { verb, path, group, resource, name }: Right): boolean {
  const hasWord = (list: JsonValue | undefined, word: string): boolean =>
    words(list).includes('*') || words(list).includes(word);
  if (!hasWord(rule.verbs, verb)) return false;
  if (path !== undefined) return words(rule.nonResourceURLs).some((own) => coversPath(own, path));
  if (!hasWord(rule.apiGroups, group) || !coversResource(words(rule.resources), resource)) return false;
  const names = words(rule.resourceNames);
  return names.length === 0 || (name !== undefined && names.includes(name));
}

const coversPath = (own: string, path: string): boolean =>
  own === path || own === '*' || (own.endsWith('*') && path.startsWith(own.slice(0, -1)));

function coversResource(own: readonly string[], resource: string): boolean {
  const slash = resource.indexOf('/');
  return (
    own.includes('*') || own.includes(resource) || (slash !== -1 && own.includes(`*/${resource.slice(slash + 1)}`))
  );
}
