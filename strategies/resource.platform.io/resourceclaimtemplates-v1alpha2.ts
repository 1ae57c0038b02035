/** ResourceClaimTemplate: the metadata of its claims, which get their names elsewhere. */
import { defineResourceClaimTemplateHandlers } from '../../generated/resource.platform.io/v1alpha2/resourceclaimtemplates/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';
import { checkTemplateMetadata } from '../core/claim-spec.js';

export const defineResourceClaimTemplatesV1alpha2 = (): KindHandlers =>
  defineResourceClaimTemplateHandlers({
    updateChecks: ['metadata', 'fields', 'metadata changes', 'field changes', 'metadata', 'fields'],
    errorOrder: ['spec.metadata', 'spec.spec'],
    validate: ({ spec = {} }) => [...checkTemplateMetadata(spec, 'spec')],
  });
