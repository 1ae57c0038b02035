/** Changes that were decided on memory as it was are made only if nobody else has changed anything since. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Basis } from '../../../../../runtime/contract/index.js';
import type { Connection } from '../../../../../runtime/storage/etcd/connection.js';
import { type Follow, Groups } from '../../../../../runtime/storage/etcd/groups.js';
import { Layout } from '../../../../../runtime/storage/etcd/layout.js';
import type { KeyValue, TxnRequest, TxnResponse } from '../../../../../runtime/storage/etcd/messages.js';
import { Numbering } from '../../../../../runtime/storage/etcd/numbering.js';
import { OtherWriters } from '../../../../../runtime/storage/etcd/other-writers.js';
import { PendingChange } from '../../../../../runtime/storage/etcd/pending-change.js';
import { FORMAT } from '../../../../../runtime/storage/etcd/restore-epoch.js';
import { encoded } from '../../../../support/store-objects.js';

const layout = new Layout('/t/');
const epoch = { format: FORMAT, base: 0, unfinished: false, revision: 1 } as const;
const RESTORE = String(layout.restore);

/** etcd as far as revisions go, with a server over it. */
class Scene {
  readonly others = new OtherWriters();
  readonly asked: TxnRequest[] = [];
  /** Heads that somebody else has made, and that have not been delivered. */
  readonly undelivered: number[] = [];
  #head = 50;
  #revision = 50;
  readonly connection: Pick<Connection, 'ask'> = {
    ask: async (_method: unknown, question: unknown) => this.#answer(question as TxnRequest) as never,
  };
  readonly groups: Groups;

  constructor(follow?: Follow) {
    const context = { layout, numbering: new Numbering(0), epoch, others: this.others };
    this.groups = new Groups(this.connection, context, follow ?? (async () => this.deliver()));
    this.others.noteDelivered(50, this.others.self);
  }

  get basis(): Basis {
    const revision = this.#delivered;
    const { others } = this;
    return {
      get isOutdated() {
        return others.haveWrittenSince(revision);
      },
      confirm: async () => this.deliver(),
    };
  }

  #delivered = 50;

  writtenByOthers(): void {
    this.#head = ++this.#revision;
    this.undelivered.push(this.#head);
  }

  deliver(): undefined {
    for (const head of this.undelivered.splice(0)) this.others.noteDelivered(head, 'another');
    this.#delivered = this.#revision;
    return undefined;
  }

  #answer(request: TxnRequest): TxnResponse {
    this.asked.push(request);
    const at = (key: Uint8Array) =>
      ({ [RESTORE]: epoch.revision, [String(layout.head)]: this.#head })[String(key)] ?? 0;
    const succeeded = request.compare.every((each) => !('modRevision' in each) || each.modRevision === at(each.key));
    const put = succeeded && request.success.length > 0;
    if (put) this.#head = ++this.#revision;
    const found = (key: Uint8Array): readonly KeyValue[] => (at(key) === 0 ? [] : [{ modRevision: at(key) }]);
    const responses = succeeded
      ? request.success.map(({ requestTxn }) => (requestTxn ? { responseTxn: { succeeded: true } } : {}))
      : (request.failure ?? []).map(({ requestRange }) => ({
          responseRange: { kvs: requestRange ? found(requestRange.key) : [] },
        }));
    return { header: { revision: this.#revision }, succeeded, responses };
  }

  /** The head that each transaction so far has asked for. */
  get compared(): readonly (number | undefined)[] {
    return this.asked.map(({ compare }) => {
      const head = compare.find(({ key }) => String(key) === String(layout.head));
      return head && 'modRevision' in head ? head.modRevision : undefined;
    });
  }

  decide(keys: readonly string[], basis: Basis | undefined) {
    const until = performance.now() + 60_000;
    return Promise.all(
      keys.map((key) => {
        const pending = new PendingChange({ key, expected: 0, next: encoded('x'), basis });
        return this.groups.decide(pending, until).then(({ outcome }) => outcome);
      }),
    );
  }
}

describe('changes on an unconfirmed basis', () => {
  let scene: Scene;
  beforeEach(() => {
    scene = new Scene();
  });

  it('are made if nobody else has changed anything, one transaction right behind the other', async () => {
    const { basis } = scene;
    expect(await scene.decide(['a', 'b'], basis)).toEqual(['made', 'made']);
    expect(await scene.decide(['c'], basis)).toEqual(['made']);
    expect(await scene.decide(['d'], basis)).toEqual(['made']);
    expect(scene.compared).toEqual([50, 51, 52]);
  });

  it('are outdated where somebody else has, whether memory knows or not', async () => {
    const { basis } = scene;
    scene.writtenByOthers();
    expect(await scene.decide(['a', 'b'], basis)).toEqual(['outdated', 'outdated']);
    expect(scene.compared).toEqual([50]);
    expect(await scene.decide(['c'], basis)).toEqual(['outdated']);
    expect(scene.asked).toHaveLength(1);
    expect(await scene.decide(['d'], scene.basis)).toEqual(['made']);
  });

  it('alone are outdated, too', async () => {
    const { basis } = scene;
    scene.writtenByOthers();
    expect(await scene.decide(['a'], basis)).toEqual(['outdated']);
  });

  it('hold up none that go with them and are confirmed', async () => {
    const { basis } = scene;
    scene.writtenByOthers();
    const confirmed = scene.decide(['a'], undefined);
    const unconfirmed = scene.decide(['b'], basis);
    expect(await confirmed).toEqual(['made']);
    expect(await unconfirmed).toEqual(['outdated']);
    expect(scene.compared).toEqual([50, undefined]);
  });

  it('are made where the head that memory did not have is of this server', async () => {
    const { basis } = scene;
    // Made without a comparison, so that it says nothing of what came before it.
    expect(await scene.decide(['a'], undefined)).toEqual(['made']);
    expect(await scene.decide(['b'], basis)).toEqual(['made']);
    expect(scene.compared).toEqual([undefined, 50, undefined]);
  });

  it('fail where memory does not get to where etcd is', async () => {
    const behind = new Scene(async () => ({ reason: 'ServiceUnavailable', message: 'memory is behind etcd' }));
    const { basis } = behind;
    behind.writtenByOthers();
    await expect(behind.decide(['a', 'b'], basis)).rejects.toMatchObject({ problem: 'unsent' });
  });
});

describe('the other writers of a store', () => {
  it('count as silent a moment after they were last heard', async () => {
    const others = new OtherWriters();
    expect(others.areSilent).toBe(false);
    await expect.poll(() => others.areSilent).toBe(true);
    others.noteDelivered(7, others.self);
    expect(others.areSilent).toBe(true);
    others.noteDelivered(8, undefined);
    expect(others.areSilent).toBe(false);
    expect([6, 7, 8].map((revision) => others.haveWrittenSince(revision))).toEqual([true, true, false]);
  });
});
