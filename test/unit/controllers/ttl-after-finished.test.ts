import { afterAll, beforeAll, expect, it } from 'vitest';
import { createResourceClient, isNotFound } from '../../../client/index.js';
import { ttlAfterFinished } from '../../../controllers/index.js';
import { type RunningControllers, runControllers } from '../../../controllers/kit/index.js';
import { leftMs } from '../../../controllers/ttl-after-finished.js';
import { jobs } from '../../../generated/batch/v1/index.js';
import { FakeClock } from '../../support/fake-clock.js';
import { type ListeningServer, startServing } from '../../support/serving.js';

const clock = new FakeClock();
const problems: string[] = [];
let server: ListeningServer;
let running: RunningControllers;
beforeAll(async () => {
  server = await startServing({ controllers: 'none' });
  const client = server.client();
  running = runControllers([{ controller: ttlAfterFinished, client }], {
    client,
    clock,
    onProblem: (_name, problem) => void problems.push(problem),
  });
}, 300_000);
afterAll(async () => {
  await running.stop();
  await server.stop();
  expect(problems).toEqual([]);
});

const beside = () => createResourceClient(jobs, server.client()).in('default');
/** Reports whether a job exists and stays. The garbage collector, which would remove others, does not run here. */
const exists = async (name: string): Promise<boolean> => {
  const found = await beside()
    .get(name)
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  expect(found?.metadata.finalizers).toEqual(found?.metadata.deletionTimestamp && ['foregroundDeletion']);
  return found !== undefined && found.metadata.deletionTimestamp === undefined;
};
const template = { spec: { restartPolicy: 'Never' as const, containers: [{ name: 'c', image: 'i' }] } };

/** Makes a job that finished at the time of the clock. */
async function finished(name: string, ttlSecondsAfterFinished?: number, type = 'Complete'): Promise<void> {
  const spec = { template, ...(ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished }) };
  await beside().create({ metadata: { name }, spec });
  const lastTransitionTime = new Date(clock.wallMs()).toISOString().replace('.000', '');
  const conditions = [{ type, status: 'True', lastTransitionTime }];
  await beside().subresource('status').patch(name, { status: { conditions } });
}

/** Waits until the controller has seen all writes so far, because it has seen a job that it removes at once. */
async function caughtUp(name: string): Promise<void> {
  await finished(name, 0);
  await expect.poll(() => exists(name)).toBe(false);
}

it('deletes a job once its time is over, whether it was complete or failed, and no other', async () => {
  await finished('soon', 60);
  await finished('late', 120, 'Failed');
  await finished('never');
  await beside().create({ metadata: { name: 'at-work' }, spec: { template, ttlSecondsAfterFinished: 1 } });
  await caughtUp('mark');
  await clock.advance(59_000);
  await caughtUp('mark-59');
  expect(await exists('soon')).toBe(true);
  await clock.advance(1000);
  await expect.poll(() => exists('soon')).toBe(false);
  expect(await exists('late')).toBe(true);
  await clock.advance(60_000);
  await expect.poll(() => exists('late')).toBe(false);
  expect(await exists('never')).toBe(true);
  expect(await exists('at-work')).toBe(true);
});

it('follows a changed time', async () => {
  await finished('changed', 60);
  await caughtUp('mark-before');
  await beside().patch('changed', { spec: { ttlSecondsAfterFinished: 600 } });
  await clock.advance(60_000);
  await caughtUp('mark-after');
  expect(await exists('changed')).toBe(true);
  await clock.advance(540_000);
  await expect.poll(() => exists('changed')).toBe(false);
});

it('counts from when the job finished', () => {
  const at = '2024-01-01T00:00:00Z';
  const job = (type: string, status: string) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {},
    spec: { ttlSecondsAfterFinished: 10 },
    status: { conditions: [{ type, status, lastTransitionTime: at }] },
  });
  expect(leftMs(job('Complete', 'True'), Date.parse(at) + 4000)).toBe(6000);
  expect(leftMs(job('Failed', 'True'), Date.parse(at) + 12_000)).toBe(-2000);
  expect(leftMs(job('Complete', 'False'), Date.parse(at))).toBeUndefined();
  expect(leftMs(job('Suspended', 'True'), Date.parse(at))).toBeUndefined();
  const going = { ...job('Complete', 'True'), metadata: { deletionTimestamp: at } };
  expect(leftMs(going, Date.parse(at))).toBeUndefined();
});
