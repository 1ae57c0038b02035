/** The real kubectl at work on a Deployment: settings, scales, rollouts, and patches of its parts and subresources. */
import { beforeEach, describe, expect, it } from 'vitest';
import { kubectlForTests, newestKubectl, printed, type Ran } from '../support/kubectl.js';

const { program, minor } = newestKubectl();

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: front, image: "example.com/front:1", ports: [{ containerPort: 80 }] }
        - { name: back, image: "example.com/back:1" }
`;

describe.skipIf(program === '')('kubectl and a Deployment (skipped if it is not installed)', () => {
  const kubectl = kubectlForTests({}, program);
  beforeEach(async () => {
    printed(await kubectl.pipe(deployment, 'replace', '--force', '-f', '-'));
  });

  const run = (command: string): Promise<Ran> => kubectl.run(...command.split(' '));
  const patch = (change: unknown, ...flags: string[]): Promise<Ran> =>
    kubectl.run('patch', 'deployment', 'web', '-p', JSON.stringify(change), ...flags);
  const read = async (path: string): Promise<string> => printed(await run(`get deployment web -o jsonpath={${path}}`));
  const containers = '.spec.template.spec.containers';

  it('sets an image, the environment, resources and the account', async () => {
    expect(printed(await run('set image deployment/web front=example.com/front:2'))).toContain('image updated');
    expect(printed(await run('set env deployment/web -c back COLOUR=blue'))).toContain('env updated');
    expect(printed(await run('set env deployment/web --list'))).toBe(
      '# Deployment web, container front\n# Deployment web, container back\nCOLOUR=blue\n',
    );
    printed(await run('set resources deployment web -c front --limits=cpu=0.5,memory=1024Mi'));
    printed(await run('set serviceaccount deployment web robot'));
    expect(await read(`${containers}[*].image`)).toBe('example.com/front:2 example.com/back:1');
    expect(JSON.parse(await read(`${containers}[0].resources.limits`))).toEqual({ cpu: '500m', memory: '1Gi' });
    expect(await read('.spec.template.spec.serviceAccountName')).toBe('robot');
    printed(await run('set env deployment/web -c back COLOUR-'));
    expect(await read(`${containers}[1].env`)).toBe('');
    expect((await run('set image deployment/web none=x')).err).toContain('unable to find container named');
  });

  it('scales, unless the present number is not the expected one', async () => {
    expect(printed(await run('scale deployment web --current-replicas=1 --replicas=3'))).toContain('scaled');
    expect(await read('.spec.replicas')).toBe('3');
    const other = await run('scale deployment web --current-replicas=1 --replicas=5');
    expect(other.err).toContain('Expected replicas to be 1, was 3');
    expect((await run('scale deployment none --replicas=1')).err).toContain('deployments.apps "none" not found');
    expect((await run('scale configmap kube-root-ca.crt --replicas=1')).code).toBe(1);
  });

  it('pauses, resumes and restarts a rollout', async () => {
    expect(printed(await run('rollout pause deployment/web'))).toContain('paused');
    expect(await read('.spec.paused')).toBe('true');
    expect((await run('rollout pause deployment/web')).err).toContain('already paused');
    expect(printed(await run('rollout resume deployment/web'))).toContain('resumed');
    expect(await read('.spec.paused')).toBe('');
    expect(printed(await run('rollout restart deployment/web'))).toContain('restarted');
    expect(await read('.spec.template.metadata.annotations')).toContain('restartedAt');
  });

  it('reports the progress of a rollout, and no rollout before it', async () => {
    expect(printed(await run('rollout history deployment/web'))).toContain('No rollout history found.');
    expect((await run('rollout undo deployment/web')).err).toContain('no rollout history found');
    const waiting = await run('rollout status deployment/web --timeout=1s');
    expect(waiting.out).toContain('Waiting for deployment spec update to be observed');
    expect(waiting.code).toBe(1);
  });

  it('merges lists by their keys', async () => {
    const template = (spec: object): object => ({ spec: { template: { spec } } });
    printed(
      await patch(
        template({
          containers: [
            { name: 'back', image: 'example.com/back:2' },
            { name: 'side', image: 'x' },
          ],
        }),
      ),
    );
    expect(await read(`${containers}[*].name`)).toBe('front back side');
    expect(await read(`${containers}[1].image`)).toBe('example.com/back:2');
    printed(await patch(template({ containers: [{ name: 'side', $patch: 'delete' }] })));
    const order = [{ name: 'back' }, { name: 'front' }];
    printed(await patch(template({ '$setElementOrder/containers': order })));
    expect(await read(`${containers}[*].name`)).toBe('back front');
    printed(await patch({ spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }));
    expect(JSON.parse(await read('.spec.strategy'))).toEqual({ type: 'Recreate' });
  });

  it('replaces lists, and tests values', async () => {
    const template = (spec: object): object => ({ spec: { template: { spec } } });
    printed(await patch(template({ containers: [{ name: 'only', image: 'x' }] }), '--type=merge'));
    expect(await read(`${containers}[*].name`)).toBe('only');
    const path = '/spec/template/spec/containers/0/image';
    printed(
      await patch(
        [
          { op: 'test', path, value: 'x' },
          { op: 'replace', path, value: 'y' },
        ],
        '--type=json',
      ),
    );
    const failed = await patch([{ op: 'test', path, value: 'x' }], '--type=json');
    expect([failed.code, failed.out]).toEqual([1, '']);
    expect(await read(`${containers}[*].image`)).toBe('y');
    expect(printed(await patch({ spec: { replicas: 1 } }, '--type=merge'))).toContain('(no change)');
    expect((await patch({ spec: { replicas: 'two' } }, '--type=merge')).err).toContain('replicas');
    expect((await patch({ spec: { replicas: -1 } }, '--type=merge')).err).toContain('spec.replicas: Invalid value: -1');
  });

  it.skipIf(minor < 24)('patches only subresources through them, in each way (from 1.24 on)', async () => {
    const status = '--subresource=status';
    printed(await patch({ spec: { replicas: 9 }, status: { replicas: 2 } }, status, '--type=merge'));
    printed(await patch([{ op: 'add', path: '/status/readyReplicas', value: 1 }], status, '--type=json'));
    const condition = (type: string): object => ({ type, status: 'True' });
    printed(await patch({ status: { conditions: [condition('Available')] } }, status));
    printed(await patch({ status: { conditions: [condition('Progressing')] } }, status));
    expect(await read('.spec.replicas')).toBe('1');
    expect(await read('.status.replicas')).toBe('2');
    expect(await read('.status.conditions[*].type')).toBe('Progressing Available');
    expect(printed(await run(`get deployment web ${status}`))).toMatch(/^web\s+1\/1\s/m);
    printed(await patch({ spec: { replicas: 4 } }, '--subresource=scale', '--type=merge'));
    expect(printed(await run('get deployment web --subresource=scale'))).toMatch(/^web\s+4\s+2\s/m);
    expect(printed(await run('wait --for=condition=Available deployment/web --timeout=20s'))).toContain('met');
  });

  it.skipIf(minor < 24)('edits and replaces only the status (from 1.24 on)', async () => {
    const editor = kubectl.file(
      'editor.sh',
      'sed -i "s/replicas: 1/replicas: 7/; s/^status: {}/status: {replicas: 3}/" "$1"\n',
    );
    const edited = await kubectl.runWith(
      { KUBE_EDITOR: `sh ${editor}` },
      ...['edit', 'deployment', 'web', '--subresource=status'],
    );
    expect(printed(edited)).toContain('edited');
    expect([await read('.spec.replicas'), await read('.status.replicas')]).toEqual(['1', '3']);
    const yaml = printed(await run('get deployment web -o yaml')).replace(/replicas: \d/g, 'replicas: 5');
    printed(await kubectl.pipe(yaml, 'replace', '--subresource=status', '-f', '-'));
    expect([await read('.spec.replicas'), await read('.status.replicas')]).toEqual(['1', '5']);
  });

  it('applies with the last applied configuration', async () => {
    const applied = (count: number): string => deployment.replace('replicas: 1', `replicas: ${count}`);
    printed(await run('annotate deployment web note=kept'));
    printed(await kubectl.pipe(applied(2), 'apply', '-f', '-'));
    expect(printed(await run('apply view-last-applied deployment/web'))).toMatch(/^ {2}replicas: 2$/m);
    const file = kubectl.file('web.yaml', applied(3));
    printed(await kubectl.run('apply', 'set-last-applied', '-f', file));
    expect(printed(await run('apply view-last-applied deployment/web'))).toMatch(/^ {2}replicas: 3$/m);
    expect([await read('.spec.replicas'), await read('.metadata.annotations.note')]).toEqual(['2', 'kept']);
  });
});
