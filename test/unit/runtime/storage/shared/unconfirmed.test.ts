/** Changes decided on the state in memory are made only if no other server has changed anything since. */
import { beforeEach, describe, expect, it } from 'vitest';
import type {
  Basis,
  SharedCommit,
  SharedCommitOptions,
  SharedProposal,
} from '../../../../../runtime/contract/index.js';
import { type Follow, Groups } from '../../../../../runtime/storage/shared/groups.js';
import { OtherWriters } from '../../../../../runtime/storage/shared/other-writers.js';
import { PendingChange } from '../../../../../runtime/storage/shared/pending-change.js';
import { encoded } from '../../../../support/store-objects.js';

const limits = { changes: 100, bytes: 1024 * 1024, guards: 20 };

/** A driver that only counts, with a server over it. */
class Scene {
  readonly others = new OtherWriters('self');
  /** The head that each group so far has asked for. */
  readonly compared: (number | undefined)[] = [];
  /** Undelivered heads of other servers. */
  readonly undelivered: number[] = [];
  #head = 50;
  readonly groups: Groups;

  constructor(follow?: Follow) {
    const driver = { limits, commit: async (...group: Parameters<Scene['commit']>) => this.commit(...group) };
    this.groups = new Groups(driver, this.others, follow ?? (async () => this.deliver()));
    this.others.noteDelivered(50, this.others.self);
  }

  get basis(): Basis {
    const number = this.#delivered;
    const { others } = this;
    return {
      get isOutdated() {
        return others.haveWrittenSince(number);
      },
      confirm: async () => this.deliver(),
    };
  }

  #delivered = 50;

  writtenByOthers(): void {
    this.undelivered.push(++this.#head);
  }

  deliver(): undefined {
    for (const head of this.undelivered.splice(0)) this.others.noteDelivered(head, 'another');
    this.#delivered = this.#head;
    return undefined;
  }

  commit(group: readonly SharedProposal[], { head }: SharedCommitOptions): SharedCommit {
    this.compared.push(head);
    if (head !== undefined && head !== this.#head) return { outcome: 'moved', number: this.#head, head: this.#head };
    const number = ++this.#head;
    const verdicts = group.map(() => ({ made: true, revision: number }) as const);
    return { outcome: 'decided', number, head: number, verdicts };
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

  it('are made if no other server has changed anything, one group right after the other', async () => {
    const { basis } = scene;
    expect(await scene.decide(['a', 'b'], basis)).toEqual(['made', 'made']);
    expect(await scene.decide(['c'], basis)).toEqual(['made']);
    expect(await scene.decide(['d'], basis)).toEqual(['made']);
    expect(scene.compared).toEqual([50, 51, 52]);
  });

  it('are outdated if another server has, whether memory knows it or not', async () => {
    const { basis } = scene;
    scene.writtenByOthers();
    expect(await scene.decide(['a', 'b'], basis)).toEqual(['outdated', 'outdated']);
    expect(scene.compared).toEqual([50]);
    expect(await scene.decide(['c'], basis)).toEqual(['outdated']);
    expect(scene.compared).toHaveLength(1);
    expect(await scene.decide(['d'], scene.basis)).toEqual(['made']);
  });

  it('alone are outdated too', async () => {
    const { basis } = scene;
    scene.writtenByOthers();
    expect(await scene.decide(['a'], basis)).toEqual(['outdated']);
  });

  it('do not delay confirmed changes of the same group', async () => {
    const { basis } = scene;
    scene.writtenByOthers();
    const confirmed = scene.decide(['a'], undefined);
    const unconfirmed = scene.decide(['b'], basis);
    expect(await confirmed).toEqual(['made']);
    expect(await unconfirmed).toEqual(['outdated']);
    expect(scene.compared).toEqual([50, undefined]);
  });

  it('are made if the head that memory did not have is of this server', async () => {
    const { basis } = scene;
    // Made without a comparison, so that it proves nothing about earlier changes.
    expect(await scene.decide(['a'], undefined)).toEqual(['made']);
    expect(await scene.decide(['b'], basis)).toEqual(['made']);
    expect(scene.compared).toEqual([undefined, 50, undefined]);
  });

  it('fail if memory does not get to the head', async () => {
    const behind = new Scene(async () => ({ reason: 'ServiceUnavailable', message: 'memory is behind' }));
    const { basis } = behind;
    behind.writtenByOthers();
    await expect(behind.decide(['a', 'b'], basis)).rejects.toMatchObject({ problem: 'unsent' });
  });
});

describe('the other writers of a store', () => {
  it('count as silent a moment after their last change', async () => {
    const others = new OtherWriters('self');
    expect(others.areSilent).toBe(false);
    await expect.poll(() => others.areSilent).toBe(true);
    others.noteDelivered(7, others.self);
    expect(others.areSilent).toBe(true);
    others.noteDelivered(8, undefined);
    expect(others.areSilent).toBe(false);
    expect([6, 7, 8].map((revision) => others.haveWrittenSince(revision))).toEqual([true, true, false]);
  });
});
