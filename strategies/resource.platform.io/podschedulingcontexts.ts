/** PodSchedulingContext: its columns. The definition has everything else. */
import { definePodSchedulingContextHandlers } from '../../generated/resource.platform.io/v1alpha2/podschedulingcontexts/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';

export const definePodSchedulingContexts = (): KindHandlers =>
  definePodSchedulingContextHandlers({
    repeatsErrors: 'spec',
    repeatsMetadataErrors: true,
    columns: { SelectedNode: ({ spec }) => spec?.selectedNode ?? '' },
  });
