/** Workloads of versions in which the selector could be left out: it then selects the labels of the template. */
import type { DeploymentSpec } from '../../generated/types/apps/v1/types.js';
import type { Draft, NamedConversion } from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';

/** Fills in `spec.selector`, which the stored version must have. */
export const selectorFromTemplate: NamedConversion = {
  name: 'selector-from-template',
  toStored({ spec }: Draft<{ spec: DeploymentSpec }>) {
    const labels = spec?.template?.metadata?.labels;
    if (spec && labels && !spec.selector) spec.selector = { matchLabels: clone(labels) };
  },
  fromStored: () => {},
};
