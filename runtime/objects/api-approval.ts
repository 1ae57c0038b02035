/** Reads the approval of definitions in the project's own groups from an annotation. */
import { isStringMap } from './guards.js';
import type { Naming } from './naming.js';
import { quote } from './printing.js';

/** `bypassed`: the definition says that it is not approved, and why. */
export interface Approval {
  readonly state: 'missing' | 'invalid' | 'bypassed' | 'approved';
  /** The state in words. */
  readonly message: string;
}

const protectedDomains: Readonly<Record<Naming['id'], readonly string[]>> = {
  kubernetes: ['k8s.io', 'kubernetes.io'],
  platform: ['platform.io'],
};

const policy = 'https://github.com/kubernetes/enhancements/pull/1111';

/** The key of the annotation. */
export function approvalAnnotation(names: Naming): string {
  return names.rename('api-approved.platform.io');
}

/** Whether a group is one of the project's own, so that definitions in it need an approval. */
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
