/** Documents of the reference's own kinds have the structure of the reference's own documents. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { SchemaObject } from '../../../../../runtime/schema/openapi/index.js';
import {
  buildOpenApiV2,
  buildOpenApiV3,
  kubernetesNaming,
  openApiV3Paths,
} from '../../../../../runtime/schema/openapi/index.js';
import {
  comparable,
  hasReference,
  operationsOf,
  referenceOperations,
  referenceResources,
  referenceTypes,
} from './reference.js';

/**
 * Returns whether discovery shows an operation. It does not show which subresources connect, return text or take
 * another kind.
 */
const isServed = ({ action, path }: { action?: string; path: string }): boolean =>
  action !== 'connect' &&
  !/\/(eviction|token|binding|log)$/.test(path) &&
  !/^\/(logs|openid|\.well-known)\//.test(path);

/** Differences of the reference's types that no definition can express and nobody needs. */
const oddities: readonly string[] = [
  // Lists with optional items, and one with maps as items.
  'io.k8s.api.admissionregistration.v1alpha1.ValidatingAdmissionPolicyBindingList',
  'io.k8s.api.admissionregistration.v1alpha1.ValidatingAdmissionPolicyList',
  'io.k8s.api.storage.v1.CSIStorageCapacityList',
  // Registered for group versions that are known but not served.
  'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
  'io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent',
];

describe.skipIf(!hasReference).each(['1.27', '1.36'])('documents of built-in kinds of %s', (release) => {
  const options = { naming: kubernetesNaming, title: 'Kubernetes', version: 'v1', release };
  const resources = hasReference ? referenceResources(release) : [];
  const v2 = buildOpenApiV2(resources, options);

  it('have the definitions of the reference', () => {
    const expected = referenceTypes(release);
    const compared = Object.entries(v2.definitions).filter(([id]) => id in expected);
    expect(compared.length).toBeGreaterThan(480);
    expect(Object.keys(v2.definitions).filter((id) => !(id in expected))).toEqual([]);
    const differing = compared.filter(
      ([id, definition]) => !isDeepStrictEqual(structure(definition), structure(expected[id] ?? {})),
    );
    expect(differing.map(([id]) => id).filter((id) => !oddities.includes(id))).toEqual([]);
  });

  it('have the operations of the reference', () => {
    const actual = new Map(operationsOf(v2).map((operation) => [operation.operationId, operation]));
    const expected = referenceOperations(release).filter(isServed);
    for (const operation of expected) {
      const found = actual.get(operation.operationId);
      expect(found, operation.operationId).toEqual(comparable(operation));
      actual.delete(operation.operationId);
    }
    expect([...actual.keys()]).toEqual([]);
  });

  it('have one OpenAPI 3 document for each group version, with the same operations', () => {
    const ids = openApiV3Paths(resources).flatMap((path) => {
      const document = buildOpenApiV3(path, resources, options);
      return Object.values(document?.paths ?? {}).flatMap((item) =>
        [item.get, item.put, item.post, item.patch, item.delete].flatMap((operation) => operation?.operationId ?? []),
      );
    });
    expect(ids.sort()).toEqual(
      operationsOf(v2)
        .map(({ operationId }) => operationId)
        .sort(),
    );
  });
});

/** Returns a schema without some keywords. */
function structure(schema: SchemaObject | Record<string, unknown>): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'description' && typeof value === 'string' ? undefined : value,
    ),
  );
}
