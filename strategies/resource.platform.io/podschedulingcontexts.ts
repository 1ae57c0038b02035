/** PodSchedulingContext: how tables show it. Everything else is in the definition. */
import type { Strategy } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';

export function definePodSchedulingContextStrategy(): Strategy {
  return {
    kind: 'resource.platform.io/PodSchedulingContext',
    repeatsErrors: 'spec',
    repeatsMetadataErrors: true,
    cell: (object, column) =>
      column === 'SelectedNode' ? stringAt(objectAt(object, 'spec'), 'selectedNode') : undefined,
  };
}
