/** ResourceClass: the name of its driver, and the nodes that it is for. */
import type { ResourceClass } from '../../generated/resource.platform.io/v1alpha2/resourceclasses/types.js';
import type { Strategy } from '../../runtime/contract/index.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';
import { checkDriverName } from '../shared/driver-name.js';
import { checkNodeSelector } from '../shared/node-selector.js';

export const defineResourceClassStrategy = (): Strategy =>
  defineStrategy<ResourceClass>('resource.platform.io/ResourceClass', {
    errorOrder: ['driverName', 'parametersRef', 'suitableNodes'],
    validate: ({ driverName = '', suitableNodes }) => [
      ...checkDriverName(driverName, 'driverName'),
      ...(suitableNodes ? checkNodeSelector(suitableNodes, 'suitableNodes') : []),
    ],
  });
