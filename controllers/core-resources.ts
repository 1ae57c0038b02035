/** The resources of the core group that several controllers work with, as far as they look at their objects. */
import { type ApiObjectLike, defineResource } from '../client/index.js';

/** A ConfigMap. */
export interface ConfigMap extends ApiObjectLike {
  data?: Readonly<Record<string, string>>;
}

/** A Secret. */
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
