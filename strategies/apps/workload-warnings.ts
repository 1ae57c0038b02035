/** Warnings for those who write workloads: about names that pods inherit, and about the pods themselves. */
import type { ApiObject, JsonObject } from '../../runtime/contract/index.js';
import { dns1123Label } from '../../runtime/objects/dns-names.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { podTemplateWarnings } from '../core/pod-spec/pod-template.js';

/** Where a workload keeps the template of its pods. */
export interface TemplatePlace {
  readonly template: (object: ApiObject) => JsonObject | undefined;
  readonly path: string;
  readonly names: Naming;
}

/** Warns about the name of a new workload that pods and their hosts could not be called after. */
export function podNameWarnings({ metadata }: ApiObject, old: ApiObject | undefined): readonly string[] {
  const problems = old === undefined ? dns1123Label(metadata.name ?? '') : [];
  if (problems.length === 0) return [];
  const advice = 'this is used in Pod names and hostnames, which can result in surprising behavior';
  return [`metadata.name: ${advice}; a DNS label is recommended: [${problems.join(' ')}]`];
}

/** Warns about the pods of a workload that is new, or whose desired state has changed. */
export function templateWarnings(
  object: ApiObject,
  old: ApiObject | undefined,
  { template, path, names }: TemplatePlace,
): readonly string[] {
  if (old !== undefined && old.metadata.generation === object.metadata.generation) return [];
  return podTemplateWarnings(template(object), path, names);
}
