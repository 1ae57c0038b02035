/** The blocks from which services get addresses: the ranges of the server, or ServiceCIDRs if they are served. */
import type { ApiObject } from '../../../runtime/contract/index.js';
import { isStringArray, objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import { type IpRange, parseIpRange } from '../../../runtime/objects/ip-address.js';
import type { ServiceRanges } from './ranges.js';

export interface Blocks {
  /** In the order in which they are used up. */
  readonly ranges: readonly IpRange[];
  /** Whether the blocks come from ServiceCIDRs. */
  readonly areObjects: boolean;
}

/**
 * Returns the blocks of the ServiceCIDRs that are ready. The blocks of the server come first. Returns only the server's
 * blocks if the objects are `undefined`, or if there are none yet.
 */
export async function blocksIn(
  { addresses }: ServiceRanges,
  serviceCIDRs: () => Promise<readonly ApiObject[] | undefined>,
): Promise<Blocks> {
  const objects = (await serviceCIDRs()) ?? [];
  if (objects.length === 0) return { ranges: addresses, areObjects: false };
  const ranges = objects
    .filter(isReady)
    .flatMap((object) => textsAt(object, 'cidrs'))
    .flatMap((text) => parseIpRange(text) ?? []);
  const isOwn = (range: IpRange): boolean => addresses.some((one) => isSame(one, range));
  return { ranges: [...ranges.filter(isOwn), ...ranges.filter((one) => !isOwn(one))], areObjects: true };
}

/** A block without a condition is ready: there may be no controller that would write one. */
function isReady(object: ApiObject): boolean {
  const ready = objectsAt(objectAt(object, 'status'), 'conditions').find((one) => stringAt(one, 'type') === 'Ready');
  const isEnding = object.metadata.deletionTimestamp !== undefined;
  return !isEnding && (ready === undefined || stringAt(ready, 'status') === 'True');
}

/** Returns the texts of a list in `spec`. */
function textsAt(object: ApiObject, field: string): readonly string[] {
  const texts = objectAt(object, 'spec')?.[field];
  return isStringArray(texts) ? texts : [];
}

const isSame = (a: IpRange, b: IpRange): boolean => a.family === b.family && a.first === b.first && a.size === b.size;
