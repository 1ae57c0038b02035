/** ResourceClaimTemplate: the metadata of claims made of it, which get their names elsewhere. */
import type { ResourceClaimTemplate } from '../../generated/resource.platform.io/v1alpha2/resourceclaimtemplates/types.js';
import type { Strategy } from '../../runtime/contract/index.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';
import { checkTemplateMetadata } from '../core/volumes/claim-spec.js';

export const defineResourceClaimTemplateStrategy = (): Strategy =>
  defineStrategy<ResourceClaimTemplate>('resource.platform.io/ResourceClaimTemplate', {
    errorOrder: ['spec.metadata', 'spec.spec'],
    validate: ({ spec = {} }) => [...checkTemplateMetadata(spec, 'spec')],
  });
