/** The priority classes of the system. */
import { systemPriorityClasses } from '../../strategies/scheduling.platform.io/priorityclasses.js';
import { ensureObjects } from './ensure-objects.js';
import type { BootstrapHook } from './hook.js';

export const systemPriorities: BootstrapHook = {
  name: 'scheduling/bootstrap-system-priority-classes',
  run: ({ client, naming }) =>
    ensureObjects(
      client,
      {
        group: naming.rename('scheduling.platform.io'),
        version: 'v1',
        plural: 'priorityclasses',
        kind: 'PriorityClass',
      },
      systemPriorityClasses.map(({ name, value, description }) => ({ metadata: { name }, value, description })),
    ),
};
