/** Protects ServiceCIDRs: reports when services get addresses from them, and holds them while services have some. */
import {
  type ApiObjectLike,
  createResourceClient,
  defineResource,
  ensureFinalizer,
  removeFinalizer,
} from '../client/index.js';
import { type IpRange, ipNumber, isInRange, parseIpRange } from '../runtime/objects/ip-address.js';
import type { Controller } from './controller.js';
import type { CacheOf } from './kit/cache.js';
import { defineController, requeueAfter } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

interface ServiceBlock extends ApiObjectLike {
  spec?: { cidrs?: string[] };
  status?: { conditions?: Condition[] };
}

interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastTransitionTime: string;
}

export interface ServiceBlocksOptions {
  /** The group of the objects, as it is served. */
  readonly group: string;
  readonly version: string;
  readonly finalizer: string;
  /** The label that addresses of services have, and its value. */
  readonly managedBy: readonly [label: string, value: string];
}

const name = 'service-cidr-controller';

/** How long servers that do not know of a deletion may still assign addresses, milliseconds. */
const graceMs = 10_000;

/** Defines the controller. A key is the name of a ServiceCIDR. */
export function defineServiceBlocks({ group, version, finalizer, managedBy }: ServiceBlocksOptions): Controller {
  const place = { group, version, scope: 'Cluster' } as const;
  const blocks = defineResource<ServiceBlock>()({
    ...place,
    plural: 'servicecidrs',
    kind: 'ServiceCIDR',
    subresources: ['status'],
  } as const);
  const addresses = defineResource<ApiObjectLike>()({
    ...place,
    plural: 'ipaddresses',
    kind: 'IPAddress',
    subresources: [],
  } as const);
  /** Returns the blocks that may contain another block, or be contained in it. */
  const overlapping = (block: ServiceBlock, cacheOf: CacheOf): string[] =>
    [...cacheOf(blocks).values()]
      .filter((one) => rangesOf(one).some((a) => rangesOf(block).some((b) => contains(a, b) || contains(b, a))))
      .map(nameOf);
  return defineController({
    name,
    watches: [
      watch(blocks, { keysOf: (block, cacheOf) => [nameOf(block), ...overlapping(block, cacheOf)] }),
      watch(addresses, {
        metadataOnly: true,
        labelSelector: managedBy.join('='),
        keysOf: (address, cacheOf) => holdersOf(nameOf(address), cacheOf(blocks).values()).map(nameOf),
      }),
    ],
    async reconcile(key, { client, cacheOf, clock, signal }) {
      const block = cacheOf(blocks).get(key);
      if (block === undefined) return;
      const all = createResourceClient(blocks, client);
      const tell = async (ready: Omit<Condition, 'type' | 'lastTransitionTime'>): Promise<void> => {
        const known = block.status?.conditions?.find(({ type }) => type === 'Ready');
        if (known?.status === ready.status && known.reason === ready.reason) return;
        const lastTransitionTime = `${new Date(clock.wallMs()).toISOString().slice(0, 19)}Z`;
        const conditions = [{ type: 'Ready', ...ready, lastTransitionTime }];
        const status = { metadata: { name: key }, status: { conditions } };
        await all.subresource('status').apply(status, { manager: name, force: true, signal }).catch(ignoreNotFound);
      };
      if (block.metadata.deletionTimestamp === undefined) {
        await ensureFinalizer(all, block, finalizer, { signal }).catch(ignoreNotFound);
        await tell({ status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' });
        return;
      }
      if (!block.metadata.finalizers?.includes(finalizer)) return;
      const others = [...cacheOf(blocks).values()].filter((one) => nameOf(one) !== key);
      if (isNeeded(block, others, [...cacheOf(addresses).values()].map(nameOf))) {
        const message =
          'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR';
        await tell({ status: 'False', reason: 'Terminating', message });
        return;
      }
      const waitMs = graceMs - (clock.wallMs() - Date.parse(block.metadata.deletionTimestamp));
      if (waitMs > 0) return requeueAfter(waitMs);
      await removeFinalizer(all, block, finalizer, { signal });
    },
  });
}

const nameOf = ({ metadata }: ApiObjectLike): string => metadata.name ?? '';

/** Returns whether an address is in a block and in no other. */
export function isNeeded(block: ServiceBlock, others: readonly ServiceBlock[], addresses: readonly string[]): boolean {
  const held = others.flatMap(rangesOf);
  const own = rangesOf(block);
  if (own.every((range) => held.some((other) => contains(other, range)))) return false;
  return addresses.some((address) => isIn(own, address) && !isIn(held, address));
}

const holdersOf = (address: string, blocks: Iterable<ServiceBlock>): readonly ServiceBlock[] =>
  [...blocks].filter((block) => isIn(rangesOf(block), address));

function isIn(ranges: readonly IpRange[], text: string): boolean {
  const address = ipNumber(text);
  return address !== undefined && ranges.some((range) => isInRange(range, address));
}

const rangesOf = ({ spec }: ServiceBlock): readonly IpRange[] =>
  (spec?.cidrs ?? []).flatMap((text) => parseIpRange(text) ?? []);

/** Returns whether all addresses of one range are in another. */
const contains = (outer: IpRange, inner: IpRange): boolean =>
  outer.family === inner.family && inner.first >= outer.first && inner.first + inner.size <= outer.first + outer.size;
