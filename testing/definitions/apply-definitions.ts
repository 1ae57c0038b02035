/** Applies definitions of custom resources to a server that runs, and waits until it serves them. */
import { type ApiObjectLike, type ClientOptions, createResourceClient, defineResource } from '../../client/index.js';
import type { ListeningServer } from '../../server/index.js';
import { findResource } from '../find-resource.js';
import { untilObjects } from '../until.js';

interface Definition extends ApiObjectLike {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

/** Rejects where the server refuses one, or does not serve it for five seconds. */
export async function applyDefinitions(
  client: ClientOptions,
  registry: ListeningServer['registry'],
  definitions: readonly object[],
): Promise<void> {
  const resource = defineResource<Definition, object>()(findResource(registry, 'customresourcedefinitions'));
  const { group } = resource;
  const known = createResourceClient(resource, client);
  const applied = await Promise.all(
    definitions.map((one) =>
      known.apply({ ...one, apiVersion: `${group}/v1`, kind: resource.kind }, { fieldManager: 'kindforge-test' }),
    ),
  );
  const names = new Set(applied.map(({ metadata }) => metadata.name));
  const areServed = (objects: readonly ApiObjectLike[]): boolean =>
    objects.filter((one) => names.has(one.metadata.name) && isEstablished(one)).length === names.size;
  await untilObjects(client, resource, { resource }, areServed, {});
}

function isEstablished({ status }: Definition): boolean {
  return status?.conditions?.some((one) => one.type === 'Established' && one.status === 'True') ?? false;
}
