/** Follows the flow schemas and priority levels of a server from memory, and keeps what is made of them up to date. */
import type { AccessAttributes } from '../../contract/index.js';
import { followObjects } from '../../pipeline/follow.js';
import type { PipelineServices } from '../../pipeline/write.js';
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

/** Follows the objects of a server into `levels`. `group` is theirs, as it is served. */
export function followFlowControl(
  services: Pick<PipelineServices, 'store' | 'resource'>,
  group: string,
  levels: Levels,
  observer: FlowObserver,
): TargetOf {
  const schemas = new Map<string, FlowSchema>();
  let find: TargetOf | undefined;
  const changed = (): void => {
    find = undefined;
  };
  followObjects(services, group, 'flowschemas', {
    changed: (object) => {
      const schema = readFlowSchema(object);
      schemas.set(schema.name, schema);
      changed();
    },
    removed: (_namespace, name) => {
      schemas.delete(name);
      changed();
    },
    reset: () => {
      schemas.clear();
      changed();
    },
  });
  followObjects(services, group, 'prioritylevelconfigurations', {
    changed: (object) => {
      levels.use(readLevel(object));
      changed();
    },
    removed: (_namespace, name) => {
      levels.remove(name);
      changed();
    },
    reset: () => {
      levels.clear();
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
    find ??= classifier(targets());
    return find(attributes);
  };
}
