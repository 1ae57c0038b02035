/** ResourceClaimTemplate: the metadata and the requests of its claims. */

import { defineResourceClaimTemplateHandlers } from '../../generated/resource.platform.io/v1/resourceclaimtemplates/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { checkTemplateMetadata } from '../core/claim-spec.js';
import { firstErrors } from '../shared/field-checks.js';
import { checkDeviceClaim, defaultRequests } from './device-claims.js';

export const defineResourceClaimTemplates = (release: Release = emulate()): KindHandlers =>
  defineResourceClaimTemplateHandlers({
    canonicalize: ({ spec }) => defaultRequests(spec?.spec?.devices),
    validateCreate: ({ spec = {} }) => [
      ...checkTemplateMetadata(spec, 'spec'),
      ...firstErrors(checkDeviceClaim(spec.spec?.devices, 'spec.spec.devices', release)),
    ],
  });
