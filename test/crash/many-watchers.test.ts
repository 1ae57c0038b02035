/**
 * Watchers on three servers over one etcd. The test kills one server at a time, and each watcher continues elsewhere
 * and misses nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Revision } from '../../runtime/contract/index.js';
import { effort } from '../support/effort.js';
import { etcdOrWhyNot, hasEtcd } from '../support/etcd.js';
import { ask, objectOf, revisionOf, toObject, toSeen, watchEvents } from '../support/history/collection.js';
import { type Deployment, onEtcd } from '../support/history/deployments.js';

const watchers = effort('KINDFORGE_WATCHERS', 150, 1000);
const kills = effort('KINDFORGE_WATCHER_KILLS', 1, 5);

/** The number of changes between two kills. */
const changesPerKill = 30;

/** A client that follows all changes from a revision to the last one, on any server that runs. */
class WatcherOfAll {
  readonly seen: Revision[] = [];
  resumed = -1;
  #last: Revision = Number.POSITIVE_INFINITY;
  readonly #ending = new AbortController();

  constructor(
    readonly deployment: Deployment,
    readonly from: Revision,
    readonly number: number,
  ) {}

  get at(): Revision {
    return this.seen.at(-1) ?? this.from;
  }

  /** Sets the last change to wait for. */
  finish(last: Revision): void {
    this.#last = last;
    if (this.at >= last) this.#ending.abort();
  }

  async run(): Promise<void> {
    while (this.at < this.#last) {
      const urls = this.deployment.urls();
      const url = urls[this.number % urls.length];
      if (url !== undefined) await this.#watch(url).catch(() => {});
      await sleep(20 + Math.random() * 50);
    }
  }

  async #watch(url: string): Promise<void> {
    this.resumed++;
    for await (const { type, object } of watchEvents(url, `resourceVersion=${this.at}`, this.#ending.signal)) {
      if (type === 'ERROR') throw new Error(JSON.stringify(object));
      this.seen.push(toSeen(object).revision);
      if (this.at >= this.#last) return;
    }
  }
}

/** Writes to any server that accepts. Returns the revision of the last write. */
async function write(deployment: Deployment, name: string): Promise<Revision> {
  for (;;) {
    for (const url of deployment.urls()) {
      const answer = await ask(url, 'POST', '', toObject(name, name)).catch(() => undefined);
      if (answer?.code === 201) return Number(objectOf(answer.body.metadata).resourceVersion);
      // The server stored the write, but the answer got lost.
      if (answer?.code === 409) return revisionOf(await ask(url, 'GET', name));
    }
    await sleep(20);
  }
}

it.runIf(hasEtcd)(
  `${watchers} watchers on three servers over ${etcdOrWhyNot} see every change once and in order, over ${kills} kills`,
  async () => {
    const deployment = await onEtcd(1, { membersToo: false })();
    try {
      const [url = ''] = deployment.urls();
      const from = revisionOf(await ask(url, 'GET', ''));
      const all = Array.from({ length: watchers }, (_, number) => new WatcherOfAll(deployment, from, number));
      const running = all.map((watcher) => watcher.run());
      const written: Revision[] = [];
      for (let kill = 0; kill <= kills; kill++) {
        const disturbing = kill === 0 ? undefined : deployment.disturb();
        for (let i = 0; i < changesPerKill; i++) {
          written.push(await write(deployment, `n${kill}-${i}`));
          await sleep(5);
        }
        await disturbing;
      }
      const last = await write(deployment, 'last');
      written.push(last);
      for (const watcher of all) watcher.finish(last);
      await Promise.all(running);
      expect(new Set(written).size).toBe(written.length);
      const expected = [...written].sort((a, b) => a - b);
      for (const { seen } of all) expect(seen).toEqual(expected);
      // Each kill hit one of three servers, with a third of all watchers on it.
      const resumed = all.reduce((sum, watcher) => sum + Math.min(1, watcher.resumed), 0);
      expect(resumed).toBeGreaterThan(watchers / 6);
    } finally {
      await deployment.dispose();
    }
  },
  120_000 + kills * 60_000,
);
