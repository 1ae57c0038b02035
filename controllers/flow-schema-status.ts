/** Says in the status of each flow schema whether the priority level that it names is missing. */
import {
  type ApiObjectLike,
  createResourceClient,
  defineResource,
  follow,
  isConflict,
  isNotFound,
  type ResourceClient,
} from '../client/index.js';
import type { Controller, ControllerParts } from './controller.js';

/** A FlowSchema, as far as the controller goes. */
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

/** The part of a FlowSchema that the controller wants. */
interface Wanted {
  metadata: { name?: string };
  status: { conditions: Condition[] };
}

/** The field manager to whom the conditions belong. */
const manager = 'api-priority-and-fairness-config-consumer-v1';

/** For servers that serve flow control; `group` is its group as it is served. */
export function defineFlowSchemaStatus(group: string): Controller {
  const kind = { group, version: 'v1beta3', scope: 'Cluster' } as const;
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
  return {
    name: 'flow-schema-status',
    run: ({ client, ...parts }) =>
      followBoth(createResourceClient(schemas, client), createResourceClient(levels, client), parts),
  };
}

type Schemas = ResourceClient<FlowSchema, Wanted, 'status'>;
type Levels = ResourceClient<ApiObjectLike, unknown, never>;
type Parts = Pick<ControllerParts, 'signal' | 'onError'>;

/** Levels have to be known before a schema can be judged, and a level that comes or goes has its schemas judged again. */
async function followBoth(schemas: Schemas, levels: Levels, { signal, onError }: Parts): Promise<void> {
  const ending = new AbortController();
  const both = AbortSignal.any([signal, ending.signal]);
  const known = new Map<string, FlowSchema>();
  const present = new Set<string>();
  let complete = false;
  const judge = async (schema: FlowSchema): Promise<void> => {
    const level = schema.spec?.priorityLevelConfiguration?.name ?? '';
    // One that cannot be written is left alone until something changes.
    await observe(schemas, schema, level, !present.has(level), both).catch((error: unknown) => {
      if (!both.aborted && !isConflict(error) && !isNotFound(error))
        onError(`flow schema ${schema.metadata.name}`, error);
    });
  };
  const judgeAll = async (level?: string): Promise<void> => {
    for (const schema of known.values()) {
      if (level === undefined || schema.spec?.priorityLevelConfiguration?.name === level) await judge(schema);
    }
  };
  const followLevels = async (): Promise<void> => {
    for await (const change of follow(levels, { signal: both })) {
      if (change.type === 'synced') complete = true;
      else if (change.type === 'removed') present.delete(change.object.metadata.name ?? '');
      else present.add(change.object.metadata.name ?? '');
      if (complete) await judgeAll(change.type === 'synced' ? undefined : change.object.metadata.name);
    }
  };
  const followSchemas = async (): Promise<void> => {
    for await (const change of follow(schemas, { signal: both })) {
      if (change.type === 'synced') continue;
      const { name = '' } = change.object.metadata;
      if (change.type === 'removed') known.delete(name);
      else known.set(name, change.object);
      if (complete && change.type !== 'removed') await judge(change.object);
    }
  };
  try {
    await Promise.all([followLevels(), followSchemas()]);
  } finally {
    ending.abort();
  }
}

async function observe(
  schemas: Schemas,
  schema: FlowSchema,
  level: string,
  isMissing: boolean,
  signal: AbortSignal,
): Promise<void> {
  const status = isMissing ? 'True' : 'False';
  const found = schema.status?.conditions?.find(({ type }) => type === 'Dangling');
  if (found?.status === status) return;
  const reference = `This FlowSchema references the PriorityLevelConfiguration object named "${level}"`;
  const condition = {
    type: 'Dangling',
    status,
    lastTransitionTime: `${new Date().toISOString().slice(0, 19)}Z`,
    reason: isMissing ? 'NotFound' : 'Found',
    message: isMissing ? `${reference} but there is no such object` : `${reference} and it exists`,
  };
  const wanted: Wanted = { metadata: { name: schema.metadata.name }, status: { conditions: [condition] } };
  await schemas.subresource('status').apply(wanted, { fieldManager: manager, force: true, signal });
}
