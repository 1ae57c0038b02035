/** Writes into the status of each flow schema whether its priority level is missing. */
import {
  type ApiObjectLike,
  type Cache,
  createResourceClient,
  defineResource,
  keyOf,
  type ResourceClient,
} from '../client/index.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

/** The fields of a FlowSchema that the controller uses. */
interface FlowSchema extends ApiObjectLike {
  spec?: { priorityLevelConfiguration?: { name?: string } };
  status?: { conditions?: Partial<Condition>[] };
}

interface Condition {
  type: string;
  status: string;
  lastTransitionTime: string;
  reason: string;
  message: string;
}

/** The fields that the controller applies to a FlowSchema. */
interface Wanted {
  metadata: { name?: string };
  status: { conditions: Condition[] };
}

/** The field manager that owns the conditions. */
const manager = 'api-priority-and-fairness-config-consumer-v1';

/** Defines the controller, for servers with flow control. `group` and `version` are as they are served. */
export function defineFlowSchemaStatus(group: string, version: string): Controller {
  const kind = { group, version, scope: 'Cluster' } as const;
  const schemas = defineResource<FlowSchema, Wanted>()({
    ...kind,
    plural: 'flowschemas',
    kind: 'FlowSchema',
    subresources: ['status'],
  } as const);
  const levels = defineResource<ApiObjectLike>()({
    ...kind,
    plural: 'prioritylevelconfigurations',
    kind: 'PriorityLevelConfiguration',
    subresources: [],
  } as const);
  return defineController({
    name: 'flow-schema-status',
    watches: [
      watch(schemas),
      watch(levels, { metadataOnly: true, keysOf: (level, cacheOf) => schemasOf(level, cacheOf(schemas)) }),
    ],
    async reconcile(key, { client, cacheOf, clock, signal }) {
      const schema = cacheOf(schemas).get(key);
      if (schema === undefined) return;
      const level = levelOf(schema);
      const isMissing = cacheOf(levels).get(level) === undefined;
      const judged = { level, isMissing, at: clock.wallMs() };
      await observe(createResourceClient(schemas, client), schema, judged, signal).catch(ignoreNotFound);
    },
  });
}

type Schemas = ResourceClient<FlowSchema, Wanted, 'status'>;

const levelOf = ({ spec }: FlowSchema): string => spec?.priorityLevelConfiguration?.name ?? '';

/** Yields the schemas of a level that was added or removed. */
const schemasOf = ({ metadata }: ApiObjectLike, schemas: Cache<FlowSchema>): string[] =>
  [...schemas.values()].filter((schema) => levelOf(schema) === metadata.name).map(keyOf);

async function observe(
  schemas: Schemas,
  schema: FlowSchema,
  { level, isMissing, at }: { readonly level: string; readonly isMissing: boolean; readonly at: number },
  signal: AbortSignal,
): Promise<void> {
  const status = isMissing ? 'True' : 'False';
  const found = schema.status?.conditions?.find(({ type }) => type === 'Dangling');
  if (found?.status === status) return;
  const reference = `This FlowSchema references the PriorityLevelConfiguration object named "${level}"`;
  const condition = {
    type: 'Dangling',
    status,
    lastTransitionTime: `${new Date(at).toISOString().slice(0, 19)}Z`,
    reason: isMissing ? 'NotFound' : 'Found',
    message: isMissing ? `${reference} but there is no such object` : `${reference} and it exists`,
  };
  const wanted: Wanted = { metadata: { name: schema.metadata.name }, status: { conditions: [condition] } };
  await schemas.subresource('status').apply(wanted, { fieldManager: manager, force: true, signal });
}
