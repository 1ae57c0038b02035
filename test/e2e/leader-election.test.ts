/**
 * Two servers over one etcd. One of them runs the controllers, and the other takes over when the first stops or dies.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createResourceClient } from '../../client/index.js';
import { leases } from '../../generated/coordination.platform.io/v1/leases/resource.js';
import { configMaps } from '../../generated/core/v1/configmaps/resource.js';
import { type ListeningServer, startServer } from '../../server/index.js';
import { type Child, startChild } from '../support/child.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../support/etcd.js';

describe.skipIf(!hasEtcd)(`two servers over ${etcdOrWhyNot}`, () => {
  let etcd: EtcdCluster;
  let witness: ListeningServer;
  const children = new Map<string, Child>();
  const held: Held[] = [];
  const acts: Act[] = [];
  const stop = new AbortController();
  let pings = 0;

  beforeAll(async () => {
    etcd = await startEtcd();
    const [endpoint = ''] = etcd.endpoints;
    witness = await startServer({
      storage: { etcd: { endpoints: [endpoint] } },
      controllers: [],
      authentication: { anonymous: 'administrator' },
      onProblem: () => {},
    });
    void watchLeases().catch(() => {});
    void watchActs().catch(() => {});
    for (const name of ['one', 'two']) {
      const child = startChild('leading-child.ts', [name, endpoint]);
      await child.message();
      children.set(name, child);
    }
    void pingOn();
  }, 120_000);

  afterAll(async () => {
    stop.abort();
    for (const child of children.values()) await child.kill();
    await witness?.stop();
    await etcd?.dispose();
  });

  const { signal } = stop;
  const client = () => witness.client();
  const nameOf = (holder: string): string =>
    [...children].find(([, { process }]) => holder.includes(`_${process.pid}_`))?.[0] ?? holder;

  async function watchLeases(): Promise<void> {
    const all = createResourceClient(leases, client());
    for await (const { object } of all.watch({ fieldSelector: 'metadata.name=kindforge-controllers', signal }))
      held.push({ revision: Number(object.metadata.resourceVersion), holder: object.spec?.holderIdentity ?? '' });
  }

  async function watchActs(): Promise<void> {
    for await (const { object } of createResourceClient(configMaps, client()).watch({
      labelSelector: 'role=pong',
      signal,
    }))
      acts.push({ revision: Number(object.metadata.resourceVersion), by: object.data?.by ?? '' });
  }

  async function pingOn(): Promise<void> {
    const maps = createResourceClient(configMaps, client()).in('default');
    while (!signal.aborted) {
      await maps.create({ metadata: { name: `ping-${pings++}`, labels: { role: 'ping' } } }).catch(() => {});
      await sleep(100);
    }
  }

  /** Waits for the process that answers next, and returns it. */
  const nextActor = async (): Promise<string> => {
    const since = acts.length;
    await expect.poll(() => acts.length, { timeout: 30_000 }).toBeGreaterThan(since + 3);
    return acts.at(-1)?.by ?? '';
  };
  const other = (name: string): string => (name === 'one' ? 'two' : 'one');

  it('lets one work at a time, even if the leader is frozen for longer than its lease, or killed', async () => {
    const first = await nextActor();
    children.get(first)?.process.kill('SIGSTOP');
    const stopped = Date.now();
    await expect.poll(() => acts.at(-1)?.by, { timeout: 30_000 }).toBe(other(first));
    expect(Date.now() - stopped).toBeLessThan(20_000);
    await sleep(2000);
    children.get(first)?.process.kill('SIGCONT');
    await sleep(4000);
    expect(await nextActor()).toBe(other(first));

    await children.get(other(first))?.kill();
    const killed = Date.now();
    await expect.poll(() => acts.at(-1)?.by, { timeout: 30_000 }).toBe(first);
    expect(Date.now() - killed).toBeLessThan(20_000);

    const named = held.map(({ revision, holder }) => ({ revision, holder: nameOf(holder) }));
    expect(checkLeading(named, acts)).toEqual([]);
    expect(new Set(named.map(({ holder }) => holder))).toEqual(new Set(['one', 'two']));
  }, 120_000);

  it('finds an act of a process without the lease', () => {
    const leasesOf = [
      { revision: 1, holder: 'one' },
      { revision: 5, holder: 'two' },
    ];
    expect(
      checkLeading(leasesOf, [
        { revision: 3, by: 'one' },
        { revision: 6, by: 'one' },
      ]),
    ).toEqual(['one wrote revision 6 while two held the lease']);
  });
});

// Compares acts of controllers with the holders of the lease. The revisions of one store order both.

/** A state of the lease. */
interface Held {
  readonly revision: number;
  readonly holder: string;
}

/** A write of a controller. */
interface Act {
  readonly revision: number;
  readonly by: string;
}

/** Prints one line for each act of a process that did not hold the lease. */
function checkLeading(leases: readonly Held[], acts: readonly Act[]): string[] {
  const ordered = [...leases].sort((a, b) => a.revision - b.revision);
  return acts.flatMap(({ revision, by }) => {
    const holder = ordered.findLast((held) => held.revision < revision)?.holder ?? 'nobody';
    return holder === by ? [] : [`${by} wrote revision ${revision} while ${holder} held the lease`];
  });
}
