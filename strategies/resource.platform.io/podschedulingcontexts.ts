/** PodSchedulingContext: its columns. Everything else is in the definition. */
import type { PodSchedulingContext } from '../../generated/resource.platform.io/v1alpha2/podschedulingcontexts/types.js';
import type { Strategy } from '../../runtime/contract/index.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';

export const definePodSchedulingContextStrategy = (): Strategy =>
  defineStrategy<PodSchedulingContext>('resource.platform.io/PodSchedulingContext', {
    repeatsErrors: 'spec',
    repeatsMetadataErrors: true,
    cell: ({ spec }, column) => (column === 'SelectedNode' ? (spec?.selectedNode ?? '') : undefined),
  });
