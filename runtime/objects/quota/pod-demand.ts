/** The requests and limits of a pod as a whole. */
import type { JsonObject } from '../../contract/index.js';
import { type Amounts, addAmounts, amountsAt, amountsOf, largerAmounts, noAmounts } from '../amounts.js';
import { objectAt, objectsAt, stringAt } from '../guards.js';

export interface PodDemand {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/**
 * Containers run together, so that theirs are summed. Init containers run one by one before them, so that the largest
 * counts where it is more. The overhead of the pod comes on top, and limits have it where there is a limit.
 */
export function demandOf(pod: JsonObject): PodDemand {
  const spec = objectAt(pod, 'spec');
  const overhead = amountsAt(spec, 'overhead');
  const limits = total(spec, (container) => amountsIn(container, 'limits'));
  return {
    requests: addAmounts(total(spec, withGiven(pod)), overhead),
    limits: addAmounts(
      limits,
      amountsOf(overhead, (name) => (limits.get(name)?.digits ?? 0n) !== 0n),
    ),
  };
}

/** The amounts of a container at `requests` or `limits`. */
export const amountsIn = (container: JsonObject, key: 'requests' | 'limits'): Amounts =>
  amountsAt(objectAt(container, 'resources'), key);

function total(spec: JsonObject | undefined, of: (container: JsonObject, running: boolean) => Amounts): Amounts {
  const running = objectsAt(spec, 'containers').map((container) => of(container, true));
  const before = objectsAt(spec, 'initContainers').map((container) => of(container, false));
  return before.reduce(largerAmounts, running.reduce(addAmounts, noAmounts));
}

/**
 * A running container that is to become smaller uses what it was given until it is; one that cannot become what it is
 * to be stays with that.
 */
function withGiven(pod: JsonObject): (container: JsonObject, running: boolean) => Amounts {
  const status = objectAt(pod, 'status');
  const given = new Map(
    objectsAt(status, 'containerStatuses').map((one) => [stringAt(one, 'name'), amountsAt(one, 'allocatedResources')]),
  );
  const isInfeasible = stringAt(status, 'resize') === 'Infeasible';
  return (container, running) => {
    const requests = amountsIn(container, 'requests');
    const has = running ? given.get(stringAt(container, 'name')) : undefined;
    if (!has || has.size === 0) return requests;
    return isInfeasible ? has : largerAmounts(requests, has);
  };
}
