/** Parts of many heavy requests. */
import type { Heavy } from '../probed-server.js';

/** Makes an object of many fields, `a0` and so on. */
export const wide = <T>(count: number, of: (i: number) => T, prefix = 'a'): Record<string, T> =>
  Object.fromEntries(many(count, (i) => [`${prefix}${i}`, of(i)]));

/** Makes an object of many fields with one value. */
export const same = <T>(count: number, value: T, prefix = 'a'): Record<string, T> => wide(count, () => value, prefix);

export const configMaps = '/api/v1/namespaces/default/configmaps';
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const merge = 'application/merge-patch+json';
export const strategic = 'application/strategic-merge-patch+json';
export const jsonPatch = 'application/json-patch+json';
export const applied = 'application/apply-patch+yaml';
export const yaml = 'application/yaml';

/** Makes many values, each from its number. */
export const many = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i));

export const configMap = (name: string, data: unknown, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

export const post = (label: string, path: string, body: unknown, type?: string): Heavy => ({
  label,
  method: 'POST',
  path,
  body,
  ...(type !== undefined && { type }),
});

export const put = (label: string, path: string, body: unknown): Heavy => ({ label, method: 'PUT', path, body });

export const patch = (label: string, path: string, type: string, body: unknown): Heavy => ({
  label,
  method: 'PATCH',
  path,
  type,
  body,
});

export const get = (label: string, path: string, headers: Readonly<Record<string, string>> = {}): Heavy => ({
  label,
  method: 'GET',
  path,
  headers,
});

/** Makes a definition of a kind in its own group; `schema` describes the whole object. */
export const definition = (plural: string, schema: object, version: object = {}): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.heavy.example.com` },
  spec: {
    group: 'heavy.example.com',
    scope: 'Namespaced',
    names: { plural, singular: plural.slice(0, -1), kind: kindOf(plural) },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', ...schema } },
        ...version,
      },
    ],
  },
});

export const kindOf = (plural: string): string => `${plural.charAt(0).toUpperCase()}${plural.slice(1, -1)}`;

export const custom = (plural: string, version = 'v1'): string =>
  `/apis/heavy.example.com/${version}/namespaces/default/${plural}`;

export const customObject = (plural: string, name: string, fields: object, metadata: object = {}): object => ({
  apiVersion: 'heavy.example.com/v1',
  kind: kindOf(plural),
  metadata: { name, ...metadata },
  ...fields,
});
