/** A change that etcd makes late, after it was repeated. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Key, Revision, SharedDriver } from '../../../../../runtime/contract/index.js';
import { EtcdDriver } from '../../../../../runtime/storage/etcd/driver.js';
import { commit, loaded, OPEN, put, remove } from '../../../../support/driver-changes.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../../../../support/etcd.js';
import { eventually } from '../../../../support/eventually.js';

/** Returns the index of the member that leads the cluster. */
async function leaderOf({ endpoints }: EtcdCluster): Promise<number> {
  const leads = endpoints.map(async (endpoint) => {
    const answer = await fetch(`${endpoint}/v3/maintenance/status`, { method: 'POST', body: '{}' });
    const { header, leader } = await answer.json();
    return header.member_id === leader;
  });
  return (await Promise.all(leads)).indexOf(true);
}

/** Creates an object, trying again until etcd decides. Resolves to its revision. */
async function created(driver: SharedDriver, key: Key): Promise<Revision | undefined> {
  let revision: Revision | undefined;
  await eventually(async () => {
    const answer = await commit(driver, put(key));
    const [verdict] = answer.outcome === 'decided' ? answer.verdicts : [];
    revision = verdict?.made ? verdict.revision : verdict?.found?.revision;
    expect(revision).toBeDefined();
  });
  return revision;
}

describe.runIf(hasEtcd)(etcdOrWhyNot, () => {
  it('does not make a change late that a frozen leader has passed on after the change was repeated', async () => {
    const etcd = await startEtcd({ members: 3, quiet: true });
    const drivers: EtcdDriver[] = [];
    try {
      // The leader may change before the first try, which then has a known outcome.
      let outcome: unknown;
      for (let round = 0; round < 5 && outcome !== 'uncertain'; round++) {
        const at = await leaderOf(etcd);
        const driver = new EtcdDriver({ endpoints: etcd.endpoints.filter((_, index) => index !== at) });
        drivers.push(driver);
        await driver.open(OPEN);
        etcd.members[at]?.pause();
        outcome = await driver.commit([put('/a/b/x')], { withinMs: 1_500 }).catch(({ problem }) => problem);
        const revision = await created(driver, '/a/b/x');
        expect(await commit(driver, remove('/a/b/x', revision ?? 0))).toMatchObject({ verdicts: [{ made: true }] });
        etcd.members[at]?.resume();
        await sleep(1_500);
        expect(await loaded(driver)).toEqual([]);
      }
      expect(outcome).toBe('uncertain');
    } finally {
      await Promise.all(drivers.map((driver) => driver.close()));
      await etcd.dispose();
    }
  });
});
