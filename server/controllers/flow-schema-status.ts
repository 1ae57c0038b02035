/** Chooses the controller that says in the status of flow schemas whether their priority levels are missing. */

import { defineFlowSchemaStatus } from '../../controllers/index.js';
import type { Controller } from '../../controllers/kit/index.js';
import type { ResourceIndex } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';

/** The controller where flow control is served; none where it is not. */
export function flowSchemaStatus(resources: ResourceIndex, naming: Naming): readonly Controller[] {
  const group = naming.rename('flowcontrol.apiserver.platform.io');
  const isServed = (plural: string): boolean => resources.find(group, 'v1beta3', plural) !== undefined;
  return isServed('flowschemas') && isServed('prioritylevelconfigurations') ? [defineFlowSchemaStatus(group)] : [];
}
