/**
 * Converts subjects of role bindings between v1, which names the group of their kind, and v1alpha1, which names its
 * version.
 */
import type { JsonObject, NamedConversion, Rename } from '../../runtime/contract/index.js';
import { isObject, stringAt } from '../../runtime/objects/guards.js';

const subjectsOf = ({ subjects }: JsonObject): readonly JsonObject[] =>
  Array.isArray(subjects) ? subjects.filter(isObject) : [];

const groupOfRoles = (rename: Rename): string => rename('rbac.authorization.platform.io');

/** The group of a subject's kind: known for the built-in kinds, else taken from `apiVersion`. */
function groupOf(kind: string, apiVersion: string, rename: Rename): string {
  if (kind === 'ServiceAccount') return '';
  if (kind === 'User' || kind === 'Group') return groupOfRoles(rename);
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

/** Turns `apiVersion` into `apiGroup`. The user `*` of v1alpha1 is the group of all authenticated users. */
export const subjectGroups: NamedConversion = {
  name: 'subject-groups',
  toStored: (object, rename) => {
    for (const subject of subjectsOf(object)) {
      const kind = stringAt(subject, 'kind');
      const apiGroup = groupOf(kind, stringAt(subject, 'apiVersion'), rename);
      delete subject.apiVersion;
      if (apiGroup !== '') subject.apiGroup = apiGroup;
      if (kind !== 'User' || subject.name !== '*') continue;
      subject.kind = 'Group';
      subject.name = 'system:authenticated';
    }
  },
  fromStored: (object) => {
    for (const subject of subjectsOf(object)) {
      const kind = stringAt(subject, 'kind');
      const apiGroup = stringAt(subject, 'apiGroup');
      delete subject.apiGroup;
      if (kind === 'ServiceAccount') subject.apiVersion = 'v1';
      else if (apiGroup !== '') subject.apiVersion = `${apiGroup}/v1alpha1`;
    }
  },
};
