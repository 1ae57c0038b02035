/** ResourceClaimTemplate: what claims made of it may be called by, besides the names that they get. */
import type { Strategy } from '../../runtime/contract/index.js';
import { objectAt } from '../../runtime/objects/guards.js';
import { checkTemplateMetadata } from '../core/volumes/claim-spec.js';

export function defineResourceClaimTemplateStrategy(): Strategy {
  return {
    kind: 'resource.platform.io/ResourceClaimTemplate',
    validate: (template) => [...checkTemplateMetadata(objectAt(template, 'spec') ?? {}, 'spec')],
  };
}
