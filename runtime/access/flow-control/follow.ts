/** Follows the flow schemas and priority levels of a server from memory, and keeps what is made of them up to date. */
import type { AccessAttributes, ApiObject } from '../../contract/index.js';
import { partOf } from '../../request/follow.js';
import type { PipelineServices } from '../../request/services.js';
import { classifier } from './classify.js';
import type { FlowCounts, FlowObserver } from './flow-observer.js';
import { type FlowSchema, readFlowSchema } from './flow-schemas.js';
import { readLevel } from './level-spec.js';
import type { Levels } from './levels.js';
import type { PriorityLevel } from './priority-level.js';

/** The uids of what a request falls under. */
export interface Flow {
  readonly flowSchema: string;
  readonly priorityLevel: string;
}

/** The flow schema and the priority level of requests. */
export interface FlowTarget extends Flow {
  readonly schema: FlowSchema;
  readonly level: PriorityLevel;
  readonly counts: FlowCounts;
}

/** Returns what a request falls under; `undefined` where nothing is for it. */
export type TargetOf = (attributes: AccessAttributes) => FlowTarget | undefined;

/**
 * Follows the objects of a server into `levels`. `group` is theirs, as it is served. Levels stay across a fresh list, with the
 * requests that they hold.
 */
export function followFlowControl(
  { follow, resource: find }: Pick<PipelineServices, 'follow' | 'resource'>,
  group: string,
  levels: Levels,
  observer: FlowObserver,
): TargetOf {
  const schemas = new Map<string, FlowSchema>();
  const unseen = new Set<string>();
  let targetOf: TargetOf | undefined;
  const changed = (): void => {
    targetOf = undefined;
  };
  const sinks = {
    flowschemas: {
      changed(object: ApiObject) {
        const schema = readFlowSchema(object);
        schemas.set(schema.name, schema);
        changed();
      },
      removed(_: string, name: string) {
        schemas.delete(name);
        changed();
      },
    },
    prioritylevelconfigurations: {
      changed(object: ApiObject) {
        const level = readLevel(object);
        unseen.delete(level.name);
        levels.use(level);
        changed();
      },
      removed(_: string, name: string) {
        unseen.delete(name);
        levels.remove(name);
        changed();
      },
    },
  };
  const resources = Object.entries(sinks).flatMap(([plural, sink]) => {
    const resource = find(group, plural);
    return resource ? [{ resource, sink }] : [];
  });
  follow('flow control', {
    parts: resources.map(({ resource, sink }) => partOf(resource, sink)),
    reset() {
      schemas.clear();
      for (const { spec } of levels.all) unseen.add(spec.name);
      changed();
    },
    complete() {
      for (const name of unseen) levels.remove(name);
      unseen.clear();
      changed();
    },
  });
  /** Schemas whose priority level there is not are passed over. */
  const targets = () =>
    [...schemas.values()].flatMap((schema) => {
      const level = levels.find(schema.priorityLevel);
      if (!level) return [];
      const counts = observer.counts(schema.name, level.spec.name);
      return [{ schema, target: { flowSchema: schema.uid, priorityLevel: level.spec.uid, schema, level, counts } }];
    });
  return (attributes) => {
    targetOf ??= classifier(targets());
    return targetOf(attributes);
  };
}
