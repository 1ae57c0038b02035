/** StorageVersionMigration of v1beta1: names its resource without a version, and has the common conditions. */
import { defineStorageVersionMigrationHandlers } from '../../generated/storagemigration.platform.io/v1beta1/storageversionmigrations/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';
import { conditionErrors } from '../shared/conditions.js';
import { firstErrors } from '../shared/field-checks.js';
import {
  nameOf,
  outcomeErrors,
  resourceChangeErrors,
  resourceErrors,
  stateOf,
  statusChangeErrors,
} from './storageversionmigrations.js';

export const defineStorageVersionMigrationsV1beta1 = (): KindHandlers =>
  defineStorageVersionMigrationHandlers({
    prepareForCreate: (object) => {
      object.status = {};
    },
    validate: ({ spec, status }, { subresource }) =>
      subresource === 'status'
        ? [...conditionErrors(status?.conditions, 'status.conditions'), ...outcomeErrors(status)]
        : firstErrors(resourceErrors(spec?.resource)),
    validateUpdate: ({ spec, status }, old, { subresource }) =>
      firstErrors(
        subresource === 'status'
          ? statusChangeErrors(status, old.status)
          : resourceChangeErrors(spec?.resource, old.spec?.resource),
      ),
    columns: {
      Resource: ({ spec }) => nameOf(spec?.resource),
      Status: ({ status }) => stateOf(status?.conditions),
    },
  });
