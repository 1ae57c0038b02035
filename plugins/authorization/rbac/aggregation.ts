/** Cluster roles that are put together of others: which others, and the rules that this gives them. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { getOwn, isArray, isObject, isStringMap, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { byCodePoint } from '../../../runtime/objects/printing.js';
import { type LabelMatcher, type Labels, labelSelectorOf } from '../../../runtime/objects/selectors/labels.js';

/**
 * Returns the rules that an aggregated role is to hold: those of all other cluster roles that one of its selectors
 * selects, by selector and name, each once. `undefined` for roles that are not aggregated.
 */
export function gatheredRules(role: object, clusterRoles: readonly object[]): readonly JsonObject[] | undefined {
  const selectors = isObject(role) ? selectorsOf(role) : [];
  if (!isObject(role) || selectors.length === 0) return undefined;
  const others = clusterRoles.filter(isObject).filter((one) => nameOf(one) !== nameOf(role));
  let left = others.map((part) => ({ part, labels: labelsOf(part) }));
  left.sort((a, b) => byCodePoint(nameOf(a.part), nameOf(b.part)));
  const rules = new Map<string, JsonObject>();
  for (const matches of selectors) {
    if (left.length === 0) break;
    // Rules that were gathered before add nothing.
    const rest: typeof left = [];
    for (const one of left) {
      if (!matches(one.labels)) rest.push(one);
      else for (const rule of rulesIn(one.part)) addOnce(rules, rule);
    }
    left = rest;
  }
  return [...rules.values()];
}

/** Adds a rule that is not there yet. Rules have no fields but these. */
function addOnce(rules: Map<string, JsonObject>, rule: JsonObject): void {
  const { apiGroups, resources, resourceNames, nonResourceURLs, verbs } = rule;
  const key = JSON.stringify([apiGroups, resources, resourceNames, nonResourceURLs, verbs]);
  if (!rules.has(key)) rules.set(key, rule);
}

/** Follows which cluster roles are gathered by which, through any number of steps. */
export class Aggregation {
  readonly #roles = new Map<string, { readonly labels: Labels; readonly selectors: readonly LabelMatcher[] }>();

  set(name: string, role: JsonObject | undefined): void {
    if (role === undefined) this.#roles.delete(name);
    else this.#roles.set(name, { labels: labelsOf(role), selectors: selectorsOf(role) });
  }

  /** The role itself, and all whose rules it will hold once they have been gathered. */
  partsOf(name: string): ReadonlySet<string> {
    const parts = new Set([name]);
    for (const part of parts) {
      for (const matches of this.#roles.get(part)?.selectors ?? []) {
        for (const [other, { labels }] of this.#roles) if (matches(labels)) parts.add(other);
      }
    }
    return parts;
  }
}

/** A selector that cannot be read selects nothing. */
function selectorsOf(role: JsonObject): readonly LabelMatcher[] {
  const selectors = objectAt(role, 'aggregationRule')?.clusterRoleSelectors;
  if (!isArray(selectors)) return [];
  return selectors.filter(isObject).map((selector) => {
    const compiled = labelSelectorOf(selector);
    return compiled.ok ? compiled.value.matches : () => false;
  });
}

const nameOf = (role: JsonObject): string => stringAt(objectAt(role, 'metadata'), 'name');

function labelsOf(role: JsonObject): Labels {
  const labels = objectAt(objectAt(role, 'metadata'), 'labels');
  return isStringMap(labels) ? labels : {};
}

function rulesIn(role: JsonObject): readonly JsonObject[] {
  const rules = getOwn(role, 'rules');
  return isArray(rules) ? rules.filter(isObject) : [];
}
