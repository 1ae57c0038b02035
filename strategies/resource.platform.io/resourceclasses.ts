/** ResourceClass: the name of its driver, and its nodes. */
import { defineResourceClassHandlers } from '../../generated/resource.platform.io/v1alpha2/resourceclasses/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';
import { checkDriverName } from '../shared/names.js';
import { checkNodeSelector } from '../shared/selectors.js';

export const defineResourceClasses = (): KindHandlers =>
  defineResourceClassHandlers({
    updateChecks: ['metadata', 'fields', 'metadata changes', 'metadata', 'fields'],
    errorOrder: ['driverName', 'parametersRef', 'suitableNodes'],
    validate: ({ driverName = '', suitableNodes }) => [
      ...checkDriverName(driverName, 'driverName'),
      ...(suitableNodes ? checkNodeSelector(suitableNodes, 'suitableNodes') : []),
    ],
  });
