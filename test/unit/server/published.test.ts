import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiV2Document, SchemaObject } from '../../../runtime/schema/openapi/index.js';
import { type ListeningServer, startServing } from '../../support/serving.js';
import {
  comparable,
  hasReference,
  operationsOf,
  type ReferenceDefinition,
  referenceOperations,
  referenceTypes,
} from '../runtime/schema/openapi/reference.js';

/** Definitions that the reference publishes and this server does not, with the reason. */
const unpublished: Readonly<Record<string, string>> = {
  '/.well-known/openid-configuration/': 'the keys of service accounts are documents of their own, not of the API',
  '/openid/v1/jwks/': 'the keys of service accounts are documents of their own, not of the API',
  '/logs/': 'there are no files of logs to look into',
  '/logs/{logpath}': 'there are no files of logs to look into',
};

/**
 * Operations with answers that are listed as they are: the reference answers the delete of a namespace with a
 * Namespace, too.
 */
const answeredOtherwise: Readonly<Record<string, string>> = {
  deleteCoreV1Namespace: 'io.k8s.api.core.v1.Namespace',
};

/** Fields with values that the reference checks too, but does not publish. */
const ownEnums: readonly string[] = [
  'io.k8s.api.certificates.v1.CertificateSigningRequestSpec.usages[]',
  'io.k8s.api.networking.v1.IngressClassParametersReference.scope',
  'io.k8s.api.resource.v1alpha2.ResourceClaimSpec.allocationMode',
  'io.k8s.api.storage.v1.CSIDriverSpec.fsGroupPolicy',
  'io.k8s.api.storage.v1.CSIDriverSpec.volumeLifecycleModes[]',
];

/** Maps each field with an enum to its values, by the path of the field. */
function enumsOf(definitions: Readonly<Record<string, SchemaObject | ReferenceDefinition>>): Record<string, unknown[]> {
  const found: Record<string, unknown[]> = {};
  const visit = (schema: SchemaObject | ReferenceDefinition, path: string): void => {
    if (Array.isArray(schema.enum)) found[path] = [...new Set(schema.enum)].sort();
    for (const [name, property] of Object.entries(schema.properties ?? {})) visit(property, `${path}.${name}`);
    if (schema.items) visit(schema.items, `${path}[]`);
  };
  for (const [id, definition] of Object.entries(definitions)) visit(definition, id);
  return found;
}

type Operation = ReturnType<typeof comparable>;

function asAnswered(operation: Operation): Operation {
  const answer = answeredOtherwise[operation.operationId];
  return answer === undefined ? operation : { ...operation, responses: { 200: answer, 202: answer, 401: null } };
}

describe.skipIf(!hasReference)('the published documents of the built-in kinds (needs ../shared)', () => {
  let running: ListeningServer;
  let document: OpenApiV2Document;
  beforeAll(async () => {
    const featureGates = 'DynamicResourceAllocation=true,ValidatingAdmissionPolicy=true';
    // Without a release, the server also has the later machinery.
    running = await startServing({ naming: 'kubernetes', controllers: 'none', featureGates, emulatedVersion: '1.27' });
    document = JSON.parse(await (await fetch(`${running.url}/openapi/v2`)).text());
  }, 300_000);
  afterAll(() => running.stop());

  it('have the operations of the reference, connections included', () => {
    const expected = referenceOperations().filter(({ path }) => !(path in unpublished));
    expect(expected.length).toBeGreaterThan(820);
    const byId = (one: { operationId: string }, other: { operationId: string }): number =>
      one.operationId < other.operationId ? -1 : 1;
    expect(operationsOf(document).sort(byId)).toEqual(expected.map(comparable).map(asAnswered).sort(byId));
  });

  it('have the enums of the reference', () => {
    const found = enumsOf(document.definitions);
    const expected = enumsOf(referenceTypes());
    expect(Object.keys(expected).length).toBeGreaterThan(60);
    expect(found).toMatchObject(expected);
    expect(Object.keys(found).filter((path) => !(path in expected))).toEqual(ownEnums);
  });

  it('are the same in the documents of version 3', async () => {
    const index = await (await fetch(`${running.url}/openapi/v3/api/v1`)).json();
    const paths: Record<string, object> = index.paths;
    expect(Object.keys(paths['/api/v1/nodes/{name}/proxy/{path}'] ?? {}).sort()).toEqual([
      'delete',
      'get',
      'head',
      'options',
      'parameters',
      'patch',
      'post',
      'put',
    ]);
    expect(paths['/api/v1/namespaces/{namespace}/pods/{name}/exec']).toMatchObject({
      get: { responses: { 200: { content: { '*/*': { schema: { type: 'string' } } } } } },
    });
  });
});
