/** Reads that must be current share a question to etcd, and none counts on one that was sent before it. */
import { describe, expect, it } from 'vitest';
import { BriefMap } from '../../../../../runtime/storage/brief-map.js';
import { Confirmations } from '../../../../../runtime/storage/etcd/confirmations.js';
import { Connection } from '../../../../../runtime/storage/etcd/connection.js';
import { Decryption } from '../../../../../runtime/storage/etcd/decryption.js';
import { Layout } from '../../../../../runtime/storage/etcd/layout.js';
import { Mirror } from '../../../../../runtime/storage/etcd/mirror.js';
import { Numbering } from '../../../../../runtime/storage/etcd/numbering.js';
import { OtherWriters } from '../../../../../runtime/storage/etcd/other-writers.js';
import { FORMAT } from '../../../../../runtime/storage/etcd/restore-epoch.js';
import { Replica } from '../../../../../runtime/storage/memory/replica.js';
import { readAttributes } from '../../../../support/store-objects.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Confirmations over an etcd that answers when it is told to, with one revision more each time. */
function fixture() {
  const layout = new Layout('/t/');
  const numbering = new Numbering(0);
  const replica = new Replica({ historyWindowMs: 1000, historyMaxBytes: 1000, now: () => 0 }, 0);
  const answers: (() => void)[] = [];
  let revision = 10;
  class Scripted extends Connection {
    override async ask(): Promise<never> {
      await new Promise<void>((resolve) => answers.push(resolve));
      return { header: { revision: ++revision } } as never;
    }
  }
  const connection = new Scripted({ endpoints: ['127.0.0.1:1'] });
  const epoch = { format: FORMAT, base: 0, unfinished: false, revision: 0 } as const;
  const others = new OtherWriters();
  const mirror = new Mirror({
    connection,
    layout,
    replica,
    readAttributes,
    pending: new BriefMap(),
    epoch,
    numbering,
    others,
    decryption: new Decryption(undefined, layout, numbering),
  });
  const confirmations = new Confirmations(connection, layout, replica, numbering, mirror);
  const ask = async () => {
    expect(await confirmations.confirm()).toBeUndefined();
    return numbering.toEtcd(replica.revision);
  };
  return { ask, answers };
}

describe('reads that must be current', () => {
  it('share one question if they come in one turn', async () => {
    const { ask, answers } = fixture();
    const all = Promise.all([ask(), ask(), Promise.resolve().then(ask)]);
    await turn();
    await turn();
    expect(answers).toHaveLength(1);
    answers[0]?.();
    expect(await all).toEqual([11, 11, 11]);
  });

  it('share the next one while a question is on its way, and not that', async () => {
    const { ask, answers } = fixture();
    const first = ask();
    await turn();
    await turn();
    const others = Promise.all([ask(), ask()]);
    await turn();
    expect(answers).toHaveLength(1);
    answers[0]?.();
    expect(await first).toBe(11);
    // Whoever comes back at once with the next request is in time.
    await turn();
    const back = ask();
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(answers).toHaveLength(2);
    answers[1]?.();
    expect(await Promise.all([others, back])).toEqual([[12, 12], 12]);
  });
});
