/**
 * Many clients write, read and watch at once while kills hit servers and their storage again and again. All answers
 * must be consistent. KINDFORGE_HISTORY_ROUNDS sets the number of kills on each backend.
 */
import { describe, expect, it } from 'vitest';
import { effort } from '../support/effort.js';
import { etcdOrWhyNot, hasEtcd } from '../support/etcd.js';
import { checkHistory } from '../support/history/check-history.js';
import { type Deploy, onEtcd, onFolder, onWorkers } from '../support/history/deployments.js';
import { onPostgres, onPostgresWithStandby } from '../support/history/postgres-deployment.js';
import { recordHistory } from '../support/history/record-history.js';
import type { Recorder } from '../support/history/recorder.js';
import { noRoughDeployment, onRoughEtcd } from '../support/history/rough-deployment.js';
import { counters, countIn } from '../support/history/writers.js';
import { hasPostgres, postgresOrWhyNot } from '../support/postgres.js';

interface Backend {
  readonly name: string;
  readonly deploy: Deploy;
  readonly runs: boolean;
  /** Kills in `npm test`, and in `npm run test:long`. */
  readonly rounds: { readonly usual: number; readonly long: number };
  /** Codes of answers that a kill may cause. */
  readonly excused: readonly number[];
}

const backends: readonly Backend[] = [
  {
    name: 'lmdb',
    deploy: onFolder((folder) => `lmdb:${folder}`),
    runs: true,
    rounds: { usual: 4, long: 200 },
    excused: [],
  },
  {
    name: 'lmdb with four workers',
    deploy: onWorkers,
    runs: true,
    rounds: { usual: 4, long: 50 },
    // A worker may answer after the owner has ended, before the worker has noticed.
    excused: [503, 504],
  },
  {
    name: 'unstorage with fs',
    deploy: onFolder((folder) => `unstorage:fs?base=${folder}`),
    runs: true,
    rounds: { usual: 3, long: 30 },
    excused: [],
  },
  {
    name: `${etcdOrWhyNot} with one member`,
    deploy: onEtcd(1),
    runs: hasEtcd,
    rounds: { usual: 2, long: 50 },
    excused: [503, 504],
  },
  {
    name: `${etcdOrWhyNot} with three members`,
    deploy: onEtcd(3),
    runs: hasEtcd,
    rounds: { usual: 2, long: 50 },
    excused: [503, 504],
  },
  {
    name: `${etcdOrWhyNot} with three members, cut off, slow, frozen, compacted and full${noRoughDeployment}`,
    deploy: onRoughEtcd,
    runs: hasEtcd && noRoughDeployment === '',
    rounds: { usual: 2, long: 50 },
    excused: [503, 504, 410],
  },
  {
    name: `${postgresOrWhyNot}, killed, cut off, frozen and full`,
    deploy: onPostgres,
    runs: hasPostgres,
    rounds: { usual: 2, long: 50 },
    excused: [503, 504],
  },
  {
    name: `${postgresOrWhyNot} with a synchronous standby that takes over`,
    deploy: onPostgresWithStandby,
    runs: hasPostgres,
    rounds: { usual: 2, long: 50 },
    excused: [503, 504],
  },
];

const rounds = (backend: Backend): number =>
  effort('KINDFORGE_HISTORY_ROUNDS', backend.rounds.usual, backend.rounds.long);

/** Checks that a counter has counted every acknowledged change, and no more than the requested changes. */
function expectCounted(key: string, { writes, lists }: Recorder): void {
  const final = lists.at(-1)?.entries.find((entry) => entry.key === key);
  const count = final ? countIn(final.value) : 0;
  const changes = writes.filter((write) => write.key === key && write.outcome !== 'refused');
  expect(count).toBeGreaterThanOrEqual(changes.filter(({ outcome }) => outcome !== 'unknown').length);
  expect(count).toBeLessThanOrEqual(changes.length);
}

describe('the answers to clients during kills of servers', () => {
  for (const backend of backends) {
    it.runIf(backend.runs)(
      `are consistent on ${backend.name}, over ${rounds(backend)} kills`,
      async () => {
        const deployment = await backend.deploy();
        let errors = '';
        try {
          const recorder = await recordHistory(deployment, rounds(backend), backend.excused);
          expect(checkHistory(recorder).slice(0, 20)).toEqual([]);
          expect(recorder.surprises.slice(0, 20)).toEqual([]);
          for (const key of counters) expectCounted(key, recorder);
          // Checks that clients made enough requests.
          const acknowledged = recorder.writes.filter(({ outcome }) => typeof outcome === 'number');
          expect(acknowledged.length).toBeGreaterThan(rounds(backend));
          expect(recorder.lists.length).toBeGreaterThan(rounds(backend) / 4);
        } finally {
          errors = await deployment.dispose();
        }
        expect(errors).toBe('');
      },
      120_000 + rounds(backend) * 10_000,
    );
  }
});
