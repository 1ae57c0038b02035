/** A definition with two versions, and its objects. The server can store either version. */
import { type ApiObjectLike, type ClientOptions, createResourceClient, defineResource } from '../../../client/index.js';
import type { JsonObject } from '../../../runtime/contract/index.js';

export type ToolVersion = 'v1' | 'v2';

/** A tool; every write gives it another value. */
export interface Tool extends ApiObjectLike {
  readonly spec?: { readonly value?: string; readonly size?: number };
}

export const definitionName = 'tools.example.com';
export const toolsPrefix = 'example.com/tools/';

interface Definition extends ApiObjectLike {
  spec?: JsonObject;
  status?: { storedVersions?: string[] };
}

const definitions = defineResource<Definition>()({
  group: 'apiextensions.platform.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  scope: 'Cluster',
  subresources: ['status'],
} as const);

const version = (name: ToolVersion, storage: ToolVersion): JsonObject => ({
  name,
  served: true,
  storage: name === storage,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { value: { type: 'string' }, size: { type: 'integer', default: 1 } } },
      },
    },
  },
});

/** Returns the definition of tools with this stored version. */
export const specStoring = (storage: ToolVersion): JsonObject => ({
  group: 'example.com',
  names: { plural: 'tools', singular: 'tool', kind: 'Tool', listKind: 'ToolList' },
  scope: 'Namespaced',
  versions: [version('v1', storage), version('v2', storage)],
});

export const toolsOf = (client: ClientOptions, version: ToolVersion) =>
  createResourceClient(
    defineResource<Tool>()({
      group: 'example.com',
      version,
      plural: 'tools',
      kind: 'Tool',
      scope: 'Namespaced',
      subresources: [],
    } as const),
    client,
  );

/** Defines tools, and waits until they are served. */
export async function defineTools(client: ClientOptions): Promise<void> {
  await createResourceClient(definitions, client).create({
    metadata: { name: definitionName },
    spec: specStoring('v1'),
  });
  while (
    (await toolsOf(client, 'v1')
      .list()
      .catch(() => undefined)) === undefined
  ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Makes a version the stored one. Resolves to the revision of the change. */
export async function storeAs(client: ClientOptions, storage: ToolVersion): Promise<number> {
  const { metadata } = await createResourceClient(definitions, client).patch(definitionName, {
    spec: { versions: [version('v1', storage), version('v2', storage)] },
  });
  return Number(metadata.resourceVersion);
}

/** Reads `storedVersions` of the definition. */
export async function storedVersionsOf(client: ClientOptions): Promise<readonly string[]> {
  const { status } = await createResourceClient(definitions, client).get(definitionName);
  return status?.storedVersions ?? [];
}
