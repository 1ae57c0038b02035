/** The groups and versions of kinds that plugins name. */
import type { ResourceModule } from '../../../runtime/contract/index.js';
import { type GroupVersion, groupVersionProblem, parseGroupVersion } from '../../../runtime/objects/gvk.js';
import { kubernetesNaming } from '../../../runtime/objects/naming.js';

/** Throws where a text is no `apiVersion`: programs write it, not users. */
export function readApiVersion(apiVersion: string): GroupVersion {
  const read = parseGroupVersion(apiVersion);
  if (!read) throw new TypeError(groupVersionProblem(apiVersion));
  return read;
}

/** Whether a resource is of a group. Built-in groups go by the platform's names here, whichever are served. */
export const isOfGroup = (resource: ResourceModule, group: string): boolean =>
  resource.group === group || resource.group === kubernetesNaming.rename(group);
