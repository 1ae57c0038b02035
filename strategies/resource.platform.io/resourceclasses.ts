/** ResourceClass: the name of its driver, and the nodes that it is for. */
import type { Strategy } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { checkDriverName } from '../shared/driver-name.js';
import { checkNodeSelector } from '../shared/node-selector.js';

export function defineResourceClassStrategy(): Strategy {
  return {
    kind: 'resource.platform.io/ResourceClass',
    validate(object) {
      const nodes = objectAt(object, 'suitableNodes');
      return [
        ...checkDriverName(stringAt(object, 'driverName'), 'driverName'),
        ...(nodes ? checkNodeSelector(nodes, 'suitableNodes') : []),
      ];
    },
  };
}
