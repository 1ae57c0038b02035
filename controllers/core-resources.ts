/** The resources of the core group that several controllers use, with the fields that they need. */
import { type ApiObjectLike, defineResource } from '../client/index.js';

export interface ConfigMap extends ApiObjectLike {
  data?: Readonly<Record<string, string>>;
}

export interface Secret extends ApiObjectLike {
  /** Values in base64. */
  data?: Readonly<Record<string, string>>;
}

const core = { group: '', version: 'v1', subresources: [] } as const;
const namespaced = { ...core, scope: 'Namespaced' } as const;

export const namespaces = defineResource<ApiObjectLike>()({
  ...core,
  plural: 'namespaces',
  kind: 'Namespace',
  scope: 'Cluster',
} as const);

export const configMaps = defineResource<ConfigMap>()({
  ...namespaced,
  plural: 'configmaps',
  kind: 'ConfigMap',
} as const);

export const secrets = defineResource<Secret>()({ ...namespaced, plural: 'secrets', kind: 'Secret' } as const);

export const serviceAccounts = defineResource<ApiObjectLike>()({
  ...namespaced,
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
} as const);
