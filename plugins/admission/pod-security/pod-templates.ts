/** The pods that kinds of workloads make, as their templates say. */
import type { ApiObject, JsonObject, ResourceModule } from '../../../runtime/contract/index.js';
import { objectAt } from '../../../runtime/objects/guards.js';

const ofSpec = ['spec', 'template'];

/** The way to the template, by group and resource. */
const templates: ReadonlyMap<string, readonly string[]> = new Map([
  ['/podtemplates', ['template']],
  ['/replicationcontrollers', ofSpec],
  ['apps/daemonsets', ofSpec],
  ['apps/deployments', ofSpec],
  ['apps/replicasets', ofSpec],
  ['apps/statefulsets', ofSpec],
  ['batch/cronjobs', ['spec', 'jobTemplate', ...ofSpec]],
  ['batch/jobs', ofSpec],
]);

const wayTo = ({ group, names }: ResourceModule): readonly string[] | undefined =>
  templates.get(`${group}/${names.plural}`);

export const hasPodTemplate = (resource: ResourceModule): boolean => wayTo(resource) !== undefined;

/** The template of a workload, whose metadata and spec are those of its pods; `undefined` where it has none. */
export function podTemplateOf(resource: ResourceModule, object: ApiObject | undefined): JsonObject | undefined {
  let part: JsonObject | undefined = object;
  for (const key of wayTo(resource) ?? []) part = objectAt(part, key);
  return part;
}
