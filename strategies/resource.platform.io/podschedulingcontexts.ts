/** PodSchedulingContext: each claim in its status is named, and its columns. */
import { definePodSchedulingContextHandlers } from '../../generated/resource.platform.io/v1alpha2/podschedulingcontexts/handlers.js';
import type { ResourceClaimSchedulingStatus } from '../../generated/types/resource/v1alpha2/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { required } from '../../runtime/objects/field-error.js';

export const definePodSchedulingContexts = (): KindHandlers =>
  definePodSchedulingContextHandlers({
    updateChecks: ['metadata', 'fields', 'metadata changes', 'metadata', 'fields'],
    validate: ({ status }, { subresource }) =>
      subresource === 'status' ? unnamedErrors(status?.resourceClaims ?? []) : [],
    columns: { SelectedNode: ({ spec }) => spec?.selectedNode ?? '' },
  });

const unnamedErrors = (claims: readonly Draft<ResourceClaimSchedulingStatus>[]): readonly FieldError[] =>
  claims.flatMap(({ name }, i) => (name ? [] : [required(`status.resourceClaims[${i}].name`)]));
