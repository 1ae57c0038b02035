/** A change that etcd makes late, after it was repeated. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Key, Revision, SharedDriver } from '../../../../../runtime/contract/index.js';
import { EtcdDriver } from '../../../../../runtime/storage/etcd/driver.js';
import { EtcdError } from '../../../../../runtime/storage/etcd/errors.js';
import { Fence } from '../../../../../runtime/storage/etcd/fence.js';
import { Layout } from '../../../../../runtime/storage/etcd/layout.js';
import type { TxnRequest, TxnResponse } from '../../../../../runtime/storage/etcd/messages.js';
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

describe('a fence', () => {
  const object = { compare: [], success: [{ requestPut: { key: Buffer.from('object') } }] };
  const written = ({ success = [] }: TxnRequest): string => String(success[0]?.requestPut?.key);
  const required = ({ compare }: TxnRequest): readonly string[] => compare.map(({ key }) => String(key));

  it('writes its key once after unknown outcomes, and then requires the absence of another', async () => {
    const sent: TxnRequest[] = [];
    let isLost = true;
    const ask = async (request: TxnRequest): Promise<TxnResponse> => {
      sent.push(request);
      await sleep(1);
      if (isLost) throw new EtcdError('uncertain', 'lost');
      return { succeeded: true };
    };
    const fence = new Fence(ask, new Layout('/k/'), 'w');
    const lost = [fence.send(object, 100), fence.send(object, 100)];
    expect((await Promise.allSettled(lost)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isLost = false;
    await Promise.all([fence.send(object, 100), fence.send(object, 100)]);
    expect(sent.map((request) => [written(request), ...required(request)])).toEqual([
      ['object', '/k/fences/w-0'],
      ['object', '/k/fences/w-0'],
      ['/k/fences/w-0'],
      ['object', '/k/fences/w-1'],
      ['object', '/k/fences/w-1'],
    ]);
  });
});

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
