/** The real kubectl waits for simulated deployments, jobs and nodes. */
import { describe, expect, it } from 'vitest';
import { kubectlForTests, newestKubectl, printed, type Ran } from '../support/kubectl.js';

const { program } = newestKubectl();

/** Repeats a command until its output is as expected. */
const eventually = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 60_000 });

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, annotations: { kubernetes.io/change-cause: first } }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: front, image: "example.com/front:1" }] }
`;

const statefulSet = `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  replicas: 3
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: db, image: "example.com/db:1" }] }
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;

describe.skipIf(program === '')('kubectl and simulated workloads (skipped if it is not installed)', () => {
  const kubectl = kubectlForTests({ controllers: '*,workloads-simulated', simulateNodes: '2' }, program);

  const run = (command: string): Promise<Ran> => kubectl.run(...command.split(' '));
  const print = async (command: string): Promise<string> => printed(await run(command));
  const images = async (): Promise<readonly string[]> =>
    (await print('get pods -l app=web -o jsonpath={.items[*].spec.containers[0].image}')).split(' ').sort();
  const fully = (version: number, pods: number) =>
    eventually(images).toEqual(Array(pods).fill(`example.com/front:${version}`));

  it('makes nodes ready', async () => {
    await eventually(() => print('get nodes -o name')).toBe('node/simulated-1\nnode/simulated-2\n');
    await print('wait --for=condition=Ready node --all --timeout=30s');
    await eventually(() => print('get nodes -o jsonpath={.items[*].spec.taints}')).toBe('');
    const leases = 'get leases -n kube-node-lease -o jsonpath={.items[*].spec.holderIdentity}';
    await eventually(() => print(leases)).toBe('simulated-1 simulated-2');
  });

  it('rolls a deployment out, scales it, and reports the progress', async () => {
    printed(await kubectl.pipe(deployment, 'create', '-f', '-'));
    expect(await print('rollout status deployment/web --timeout=60s')).toContain('successfully rolled out');
    await print('wait --for=condition=Available deployment/web --timeout=60s');
    await fully(1, 3);
    const ips = (await print('get pods -l app=web -o jsonpath={.items[*].status.podIP}')).split(' ');
    expect(new Set(ips).size).toBe(3);
    const used = (await print('get pods -l app=web -o jsonpath={.items[*].spec.nodeName}')).split(' ');
    expect(new Set(used)).toEqual(new Set(['simulated-1', 'simulated-2']));

    await print('scale deployment/web --replicas=5');
    await print('rollout status deployment/web --timeout=60s');
    await fully(1, 5);
    expect(await print('get deployment web --no-headers')).toMatch(/^web +5\/5 +5 +5 /);
    await print('scale deployment/web --replicas=2 --timeout=60s');
    await print('rollout status deployment/web --timeout=60s');
    await fully(1, 2);
  });

  it('rolls to another template, back, and forward again', async () => {
    await print('set image deployment/web front=example.com/front:2');
    await print('annotate deployment/web kubernetes.io/change-cause=second --overwrite');
    await print('rollout status deployment/web --timeout=60s');
    await fully(2, 2);
    const history = await print('rollout history deployment/web');
    expect(history).toMatch(/^1 +first$/m);
    expect(history).toMatch(/^2 +second$/m);
    expect(await print('rollout history deployment/web --revision=1')).toContain('example.com/front:1');

    await print('rollout undo deployment/web');
    await print('rollout status deployment/web --timeout=60s');
    await fully(1, 2);
    expect(await print('rollout history deployment/web')).toMatch(/^3 +first$/m);

    const before = await print('get pods -l app=web -o name');
    await print('rollout restart deployment/web');
    await print('rollout status deployment/web --timeout=60s');
    await fully(1, 2);
    const after = await print('get pods -l app=web -o name');
    for (const pod of before.trim().split('\n')) expect(after).not.toContain(pod);
  });

  it('replaces all pods at once if the deployment requests it', async () => {
    await print('patch deployment web --type=merge -p {"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}');
    await print('set image deployment/web front=example.com/front:3');
    await print('rollout status deployment/web --timeout=60s');
    await fully(3, 2);
  });

  it('does not roll a paused deployment, but scales it', async () => {
    await print('rollout pause deployment/web');
    await print('set image deployment/web front=example.com/front:4');
    await print('scale deployment/web --replicas=4');
    await fully(3, 4);
    await print('rollout resume deployment/web');
    await print('rollout status deployment/web --timeout=60s');
    await fully(4, 4);
  });

  it('replaces deleted and evicted pods, but not on a cordoned node', async () => {
    await print('drain simulated-1 --ignore-daemonsets --timeout=60s');
    await print('rollout status deployment/web --timeout=60s');
    await fully(4, 4);
    const used = await print('get pods -l app=web -o jsonpath={.items[*].spec.nodeName}');
    expect(new Set(used.split(' '))).toEqual(new Set(['simulated-2']));
    await print('uncordon simulated-1');
    const [pod = ''] = (await print('get pods -l app=web -o name')).split('\n');
    await print(`delete ${pod} --timeout=60s`);
    await fully(4, 4);
  });

  it('runs jobs to their end', async () => {
    await print('create job once --image=example.com/once');
    await print('wait --for=condition=Complete job/once --timeout=60s');
    const many = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'many' },
      spec: {
        completions: 5,
        parallelism: 2,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
      },
    };
    printed(await kubectl.create(many));
    await print('wait --for=condition=Complete job/many --timeout=60s');
    expect(await print('get job many -o jsonpath={.status.succeeded}')).toBe('5');
    expect((await print('get pods -l job-name=many -o name')).trim().split('\n')).toHaveLength(5);

    const indexed = { ...many, metadata: { name: 'indexed' }, spec: { ...many.spec, completionMode: 'Indexed' } };
    printed(await kubectl.create(indexed));
    await print('wait --for=condition=Complete job/indexed --timeout=60s');
    expect(await print('get job indexed -o jsonpath={.status.completedIndexes}')).toBe('0-4');
    const names = (await print('get pods -l job-name=indexed -o jsonpath={.items[*].spec.hostname}')).split(' ');
    expect(names.sort()).toEqual([0, 1, 2, 3, 4].map((index) => `indexed-${index}`));
  });

  it('creates the pods of a stateful set in order, replaces them from the last on, and rolls back', async () => {
    printed(await kubectl.pipe(statefulSet, 'create', '-f', '-'));
    expect(await print('rollout status statefulset/db --timeout=60s')).toContain('roll out complete');
    const pods = 'get pods -l app=db -o jsonpath={range.items[*]}{.metadata.name}={.spec.containers[0].image},{end}';
    expect(await print(pods)).toBe('db-0=example.com/db:1,db-1=example.com/db:1,db-2=example.com/db:1,');
    expect(await print('get pvc -o name')).toBe(
      [0, 1, 2].map((ordinal) => `persistentvolumeclaim/data-db-${ordinal}\n`).join(''),
    );
    expect(await print('get pod db-1 -o jsonpath={.spec.volumes[0].persistentVolumeClaim.claimName}')).toBe(
      'data-db-1',
    );
    await print('scale statefulset/db --replicas=2');
    await eventually(() => print(pods)).toBe('db-0=example.com/db:1,db-1=example.com/db:1,');

    await print('patch statefulset db -p {"spec":{"updateStrategy":{"rollingUpdate":{"partition":1}}}}');
    await print('set image statefulset/db db=example.com/db:2');
    expect(await print('rollout status statefulset/db --timeout=60s')).toContain('partitioned roll out complete');
    expect(await print(pods)).toBe('db-0=example.com/db:1,db-1=example.com/db:2,');
    await print('delete pod db-0 --timeout=60s');
    await eventually(() => print(pods)).toBe('db-0=example.com/db:1,db-1=example.com/db:2,');
    await print('patch statefulset db -p {"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}');
    await eventually(() => print(pods)).toBe('db-0=example.com/db:2,db-1=example.com/db:2,');
    await print('rollout status statefulset/db --timeout=60s');

    expect(await print('rollout history statefulset/db')).toMatch(/^1 .*\n2 /m);
    await print('rollout undo statefulset/db');
    await print('rollout status statefulset/db --timeout=60s');
    expect(await print(pods)).toBe('db-0=example.com/db:1,db-1=example.com/db:1,');
  });

  it('leaves nothing of deleted workloads', async () => {
    await print('delete deployment/web statefulset/db job/many --timeout=60s');
    await eventually(() => print('get replicasets,pods -l app=web -o name')).toBe('');
    await eventually(() => print('get pods,controllerrevisions -l app=db -o name')).toBe('');
    await eventually(() => print('get pods -l job-name=many -o name')).toBe('');
  });
});
