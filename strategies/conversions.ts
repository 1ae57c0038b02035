/** Conversions between versions that no definition can declare, by the names under which definitions ask for them. */
import type { NamedConversion } from '../runtime/contract/index.js';
import { definitionVersions } from './apiextensions.platform.io/definition-versions.js';
import { selectorFromTemplate } from './apps/selector-from-template.js';
import { endpointTopology } from './discovery.platform.io/endpoint-topology.js';
import { subjectGroups } from './rbac.authorization.platform.io/subject-groups.js';

/** All of them. */
export const conversions: readonly NamedConversion[] = [
  definitionVersions,
  endpointTopology,
  selectorFromTemplate,
  subjectGroups,
];
