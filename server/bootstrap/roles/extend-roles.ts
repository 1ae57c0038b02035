/** Adds what roles and bindings lack, and removes nothing. */
import { rulesOf, uncovered } from '../../../plugins/index.js';
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { isArray, isObject } from '../../../runtime/objects/guards.js';
import type { BringIntoLine, StartObject, WantedObject } from '../ensure-objects.js';

/** Adds missing rules, selectors, labels and annotations to a role. */
export const extendRole: BringIntoLine = (found, wanted) => {
  const rules = objectsIn(found.rules);
  const held = rulesOf({ rules: [...rules] });
  const missing = objectsIn(wanted.rules).filter((rule) => uncovered(held, rulesOf({ rules: [rule] })).length > 0);
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

/** Adds missing subjects, labels and annotations to a binding. Its role cannot be changed. */
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

/** Returns the labels and annotations that are missing or differ, or `undefined` if there are none. */
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
