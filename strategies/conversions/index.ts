/** Conversions between versions that no definition can declare, by the names under which definitions ask for them. */
import type { NamedConversion } from '../../runtime/contract/index.js';
import { definitionVersions } from './definition-versions.js';
import { endpointTopology } from './endpoint-topology.js';
import { selectorFromTemplate } from './selector-from-template.js';
import { subjectGroups } from './subject-groups.js';

/** All of them. */
export const conversions: readonly NamedConversion[] = [
  definitionVersions,
  endpointTopology,
  selectorFromTemplate,
  subjectGroups,
];
