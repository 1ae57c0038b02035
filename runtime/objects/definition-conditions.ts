/** Reads and sets the conditions of definitions. */
import type { JsonObject } from '../contract/index.js';
import { isArray, isObject, isStringMap, stringAt } from './guards.js';
import type { Naming } from './names/naming.js';
import { quote } from './printing.js';

/** A condition of a definition without the time at which its status last changed. */
export interface DefinitionCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** Returns the conditions of a status, in order. */
export function conditionsOf(status: JsonObject | undefined): readonly JsonObject[] {
  const conditions = status?.conditions;
  return isArray(conditions) ? conditions.filter(isObject) : [];
}

/** Returns whether a condition is `True`. */
export const isTrue = (status: JsonObject | undefined, type: string): boolean =>
  conditionsOf(status).some((condition) => condition.type === type && condition.status === 'True');

/** Sets a condition in place. Its time only changes with its status. `now` is RFC 3339 in seconds. */
export function setCondition(status: JsonObject, condition: DefinitionCondition, now: string): void {
  const { type, status: value, reason, message } = condition;
  const before = conditionsOf(status);
  const old = before.find((each) => each.type === type);
  const since = stringAt(old, 'lastTransitionTime');
  const lastTransitionTime = since !== '' && old?.status === value ? since : now;
  const next: JsonObject = { type, status: value, lastTransitionTime, reason, message };
  status.conditions = old ? before.map((each) => (each === old ? next : each)) : [...before, next];
}

/** Removes a condition, in place. */
export function removeCondition(status: JsonObject, type: string): void {
  const conditions = conditionsOf(status);
  const rest = conditions.filter((condition) => condition.type !== type);
  if (rest.length < conditions.length) status.conditions = rest;
}

/** `bypassed`: the definition gives a reason why it is not approved. */
interface Approval {
  readonly state: 'missing' | 'invalid' | 'bypassed' | 'approved';
  /** The state in words. */
  readonly message: string;
}

const protectedDomains: Readonly<Record<Naming['id'], readonly string[]>> = {
  kubernetes: ['k8s.io', 'kubernetes.io'],
  platform: ['platform.io'],
};

const policy = 'https://github.com/kubernetes/enhancements/pull/1111';

/** Returns the key of the annotation. */
export function approvalAnnotation(names: Naming): string {
  return names.rename('api-approved.platform.io');
}

/** Returns whether a group belongs to the project, so that its definitions need an approval. */
export function isProtectedGroup(group: string, names: Naming): boolean {
  return protectedDomains[names.id].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

/** Reads the approval that annotations hold. */
export function approvalIn(annotations: unknown, names: Naming): Approval {
  const key = approvalAnnotation(names);
  const rule = `protected groups must have approval annotation ${quote(key)}`;
  const value = isStringMap(annotations) && Object.hasOwn(annotations, key) ? (annotations[key] ?? '') : '';
  if (value === '') return { state: 'missing', message: `${rule}, see ${policy}` };
  if (value.startsWith('unapproved')) return { state: 'bypassed', message: `not approved: ${quote(value)}` };
  if (isAbsoluteUrl(value)) return { state: 'approved', message: `approved in ${value}` };
  return {
    state: 'invalid',
    message: `${rule} with either a URL or a reason starting with "unapproved", see ${policy}`,
  };
}

const isAbsoluteUrl = (text: string): boolean => URL.canParse(text) && new URL(text).host !== '';
