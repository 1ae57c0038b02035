/** The order in which manifests that belong together are applied, so that each finds what it needs. */
import type { DynamicObject } from './types.js';

/** Kinds that others need, in the order in which they are needed. */
const first = [
  'Namespace',
  'CustomResourceDefinition',
  'PriorityClass',
  'StorageClass',
  'ResourceQuota',
  'LimitRange',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
];

/** Kinds that others must not meet before those are there which they call. */
const last = [
  'APIService',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
];

/** Manifests of the same rank keep their order. */
export const inApplyOrder = <T extends Pick<DynamicObject, 'kind'>>(manifests: readonly T[]): T[] =>
  [...manifests].sort((a, b) => rankOf(a) - rankOf(b));

function rankOf({ kind }: Pick<DynamicObject, 'kind'>): number {
  const early = first.indexOf(kind);
  return early >= 0 ? early - first.length : last.indexOf(kind) + 1;
}

/** Whether a manifest brings a kind with it: a definition in the form of CustomResourceDefinitions. */
export const isDefinition = ({ kind, apiVersion }: Pick<DynamicObject, 'kind' | 'apiVersion'>): boolean =>
  kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.');

/** Whether a definition is one of the group and kind that an object has. */
export function definesKindOf(definition: DynamicObject, { apiVersion, kind }: DynamicObject): boolean {
  const { spec } = definition;
  if (typeof spec !== 'object' || spec === null || !('group' in spec) || !('names' in spec)) return false;
  const { names } = spec;
  const named = typeof names === 'object' && names !== null && 'kind' in names && names.kind === kind;
  return named && apiVersion.startsWith(`${String(spec.group)}/`);
}
