/** Workloads that wait, on a clock that only the test advances. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createResourceClient } from '../../../../client/index.js';
import { type RunningControllers, runControllers } from '../../../../controllers/kit/index.js';
import { deployments, jobs, pods } from '../../../../testing/workloads/resources.js';
import { defineSimulatedWorkloads } from '../../../../testing/workloads/simulated.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { type ListeningServer, startServing } from '../../../support/serving.js';

/** Asks until the answer is as expected. */
const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 60_000 });

const clock = new FakeClock();
const problems: string[] = [];
let server: ListeningServer;
let running: RunningControllers;
beforeAll(async () => {
  server = await startServing({ controllers: 'serviceaccount' });
  const client = server.client();
  const leaseNamespace = 'platform-node-lease';
  const controller = defineSimulatedWorkloads({ count: 1, rename: (name) => name, leaseNamespace });
  running = runControllers([{ controller, client }], {
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

const apps = () => createResourceClient(deployments, server.client()).in('default');
const batch = () => createResourceClient(jobs, server.client()).in('default');
const beside = () => createResourceClient(pods, server.client()).in('default');

const containers = [{ name: 'c', image: 'i' }];
const template = (app: string, spec = {}) => ({ metadata: { labels: { app } }, spec: { containers, ...spec } });
const deploy = (app: string, spec: object, podSpec = {}) =>
  apps().create({
    metadata: { name: app },
    spec: { replicas: 2, selector: { matchLabels: { app } }, template: template(app, podSpec), ...spec },
  });
const progress = async (name: string) =>
  (await apps().get(name)).status?.conditions?.find(({ type }) => type === 'Progressing');

it('counts a pod as available once it has been ready for long enough', async () => {
  await deploy('slow', { minReadySeconds: 30 });
  await eventually(async () => (await apps().get('slow')).status).toMatchObject({ readyReplicas: 2 });
  await clock.advance(29_000);
  expect((await apps().get('slow')).status?.availableReplicas).toBeUndefined();
  await clock.advance(1000);
  await eventually(async () => (await apps().get('slow')).status?.availableReplicas).toBe(2);
  await eventually(() => progress('slow')).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' });
});

it('reports a late rollout', async () => {
  await deploy('stuck', { progressDeadlineSeconds: 60 }, { nodeSelector: { no: 'such' } });
  await eventually(async () => (await apps().get('stuck')).status).toMatchObject({ updatedReplicas: 2 });
  await eventually(() => progress('stuck')).toMatchObject({ status: 'True' });
  const late = { status: 'False', reason: 'ProgressDeadlineExceeded' };
  await clock.advance(59_000);
  expect(await progress('stuck')).not.toMatchObject(late);
  await clock.advance(1000);
  await eventually(() => progress('stuck')).toMatchObject(late);
});

it('ends a job that takes too long, and with it its pods', async () => {
  const spec = {
    activeDeadlineSeconds: 60,
    template: template('late', { restartPolicy: 'Never', nodeSelector: { a: 'b' } }),
  };
  await batch().create({ metadata: { name: 'late' }, spec });
  const podsOfJob = async () => (await beside().list({ labelSelector: 'app=late' })).items.length;
  await eventually(async () => (await batch().get('late')).status?.active).toBe(1);
  await clock.advance(59_000);
  expect(await podsOfJob()).toBe(1);
  await clock.advance(1000);
  const ended = { status: { conditions: [{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded' }] } };
  await eventually(() => batch().get('late')).toMatchObject(ended);
  await eventually(podsOfJob).toBe(0);
});

it('gives up a job with pods that fail too often', async () => {
  const spec = { backoffLimit: 1, template: template('failing', { restartPolicy: 'Never', nodeSelector: { a: 'b' } }) };
  await batch().create({ metadata: { name: 'failing' }, spec });
  const waiting = async () =>
    (await beside().list({ labelSelector: 'app=failing' })).items.filter(({ status }) => status?.phase === 'Pending');
  for (let failures = 1; failures <= 2; failures++) {
    await eventually(waiting).toHaveLength(1);
    const [pod] = await waiting();
    await beside()
      .subresource('status')
      .patch(pod?.metadata.name ?? '', { status: { phase: 'Failed' } });
    await eventually(async () => (await batch().get('failing')).status?.failed).toBe(failures);
  }
  const ended = { status: { conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }] } };
  await eventually(() => batch().get('failing')).toMatchObject(ended);
  expect(await waiting()).toEqual([]);
});
