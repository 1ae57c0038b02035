/** The real kubectl creates an object by command, without a file, with each of its generators. */
import { describe, expect, it } from 'vitest';
import { makeServerCertificate } from '../support/certificates.js';
import { kubectlForTests, newestKubectl, printed } from '../support/kubectl.js';

const { program, minor } = newestKubectl();

/** A command, its objects, and the first minor release that creates them in a version that is still served. */
interface Made {
  readonly command: string;
  readonly as: string;
  readonly holds: object;
  readonly since?: number;
}

const pod = (template: object): object => ({ spec: { template: { spec: template } } });

const made: readonly Made[] = [
  {
    command: 'create deployment web --image=example.com/web:1 --replicas=2 --port=8080',
    as: 'deployment/web',
    holds: {
      metadata: { labels: { app: 'web' }, generation: 1 },
      spec: { replicas: 2, strategy: { type: 'RollingUpdate' }, selector: { matchLabels: { app: 'web' } } },
    },
  },
  {
    command: 'create job once --image=example.com/once -- date -u',
    as: 'job/once',
    holds: pod({ containers: [{ command: ['date', '-u'], image: 'example.com/once' }], restartPolicy: 'Never' }),
  },
  {
    command: 'create cronjob tick --image=example.com/tick --schedule=*/5_*_*_*_*',
    as: 'cronjob/tick',
    holds: { spec: { schedule: '*/5 * * * *', concurrencyPolicy: 'Allow', successfulJobsHistoryLimit: 3 } },
    since: 21,
  },
  {
    command: 'create job from-tick --from=cronjob/tick',
    as: 'job/from-tick',
    holds: {
      metadata: {
        annotations: { 'cronjob.kubernetes.io/instantiate': 'manual' },
        ownerReferences: [{ kind: 'CronJob', name: 'tick', controller: true }],
      },
    },
    since: 21,
  },
  {
    command: 'create poddisruptionbudget guard --selector=app=web --min-available=50%',
    as: 'pdb/guard',
    holds: { spec: { minAvailable: '50%', selector: { matchLabels: { app: 'web' } } } },
    since: 21,
  },
  {
    command: 'create priorityclass high --value=1000 --description=first',
    as: 'priorityclass/high',
    holds: { value: 1000, description: 'first', preemptionPolicy: 'PreemptLowerPriority' },
  },
  {
    command: 'create ingress front --rule=shop.example.com/*=web:80,tls=cert',
    as: 'ingress/front',
    holds: {
      spec: {
        rules: [{ host: 'shop.example.com', http: { paths: [{ path: '/', pathType: 'Prefix' }] } }],
        tls: [{ hosts: ['shop.example.com'], secretName: 'cert' }],
      },
    },
  },
  {
    command: 'create secret generic pass --from-literal=word=open',
    as: 'secret/pass',
    holds: { type: 'Opaque', data: { word: 'b3Blbg==' } },
  },
  {
    command: 'create secret docker-registry pull --docker-server=r.example.com --docker-username=u --docker-password=p',
    as: 'secret/pull',
    holds: { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': expect.any(String) } },
  },
  {
    command: 'create role reader --verb=get --verb=list --resource=pods,deployments.apps/scale',
    as: 'role/reader',
    holds: {
      rules: [
        { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
        { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['get', 'list'] },
      ],
    },
  },
  {
    command: 'create clusterrole prober --verb=get --non-resource-url=/metrics',
    as: 'clusterrole/prober',
    holds: { rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }] },
  },
  {
    command: 'create rolebinding readers --role=reader --serviceaccount=default:robot',
    as: 'rolebinding/readers',
    holds: { roleRef: { kind: 'Role', name: 'reader' }, subjects: [{ kind: 'ServiceAccount', name: 'robot' }] },
  },
  {
    command: 'create clusterrolebinding probers --clusterrole=prober --group=probers',
    as: 'clusterrolebinding/probers',
    holds: { subjects: [{ kind: 'Group', name: 'probers', apiGroup: 'rbac.authorization.k8s.io' }] },
  },
  {
    command: 'create service clusterip inside --tcp=80:8080',
    as: 'service/inside',
    holds: { spec: { type: 'ClusterIP', clusterIP: expect.stringMatching(/^10\./), ports: [{ targetPort: 8080 }] } },
  },
  {
    command: 'create service clusterip headless --clusterip=None --tcp=80',
    as: 'service/headless',
    holds: { spec: { clusterIP: 'None', clusterIPs: ['None'] } },
  },
  {
    command: 'create service nodeport gate --tcp=80 --node-port=30080',
    as: 'service/gate',
    holds: { spec: { type: 'NodePort', ports: [{ nodePort: 30080 }] } },
  },
  {
    command: 'create service loadbalancer balanced --tcp=80',
    as: 'service/balanced',
    holds: { spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: true } },
  },
  {
    command: 'create service externalname away --external-name=example.com',
    as: 'service/away',
    holds: { spec: { type: 'ExternalName', externalName: 'example.com' } },
  },
  { command: 'create serviceaccount robot', as: 'serviceaccount/robot', holds: { kind: 'ServiceAccount' } },
  { command: 'create configmap settings --from-literal=a=1', as: 'configmap/settings', holds: { data: { a: '1' } } },
  {
    command: 'run alone --image=example.com/alone --labels=app=alone --env=A=b --port=80',
    as: 'pod/alone',
    holds: {
      metadata: { labels: { app: 'alone' } },
      spec: { containers: [{ env: [{ name: 'A', value: 'b' }], ports: [{ containerPort: 80, protocol: 'TCP' }] }] },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    },
  },
  {
    command: 'expose deployment web --port=80 --target-port=8080',
    as: 'service/web',
    holds: { spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] } },
  },
  {
    command: 'expose pod alone --port=80 --name=lonely',
    as: 'service/lonely',
    holds: { spec: { selector: { app: 'alone' } } },
  },
  {
    command: 'autoscale deployment web --min=1 --max=5 --cpu-percent=80',
    as: 'hpa/web',
    holds: { spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 5 } },
  },
  // Later pods would need a memory request.
  {
    command: 'create quota limits --hard=pods=5,requests.memory=1024Mi',
    as: 'quota/limits',
    holds: { spec: { hard: { pods: '5', 'requests.memory': '1Gi' } } },
  },
];

const isMade = ({ since = 0 }: Made): boolean => minor >= since;

describe.skipIf(program === '')('kubectl create (skipped if it is not installed)', () => {
  const kubectl = kubectlForTests({}, program);

  /** Runs a command. An underscore stands for a space in an argument. */
  const run = (command: string) => kubectl.run(...command.split(' ').map((part) => part.replaceAll('_', ' ')));

  it.each(made.filter(isMade))('$command', async ({ command, as, holds }) => {
    expect(printed(await run(command))).toMatch(/ (created|exposed|autoscaled)$/m);
    expect(JSON.parse(printed(await run(`get ${as} -o json`)))).toMatchObject(holds);
  });

  it('shows the object of a dry run, by itself and through the server', async () => {
    const command = 'create deployment dry --image=example.com/dry -o json';
    const own: unknown = JSON.parse(printed(await run(`${command} --dry-run=client`)));
    const servers: unknown = JSON.parse(printed(await run(`${command} --dry-run=server`)));
    expect(own).not.toHaveProperty('metadata.uid');
    expect(servers).toMatchObject({ metadata: { uid: expect.any(String) }, spec: { revisionHistoryLimit: 10 } });
    expect((await run('get deployment dry')).err).toContain('deployments.apps "dry" not found');
  });

  it('keeps a certificate with its key', async () => {
    const { cert, key } = await makeServerCertificate();
    const files = [`--cert=${kubectl.file('tls.crt', cert)}`, `--key=${kubectl.file('tls.key', key)}`];
    expect(printed(await kubectl.run('create', 'secret', 'tls', 'cert', ...files))).toContain('secret/cert created');
    const { type, data } = JSON.parse(printed(await run('get secret cert -o json')));
    expect(type).toBe('kubernetes.io/tls');
    expect(Buffer.from(data['tls.crt'], 'base64').toString()).toBe(cert);
  });

  it.skipIf(minor < 24)('gets a token that names its user (from 1.24 on)', async () => {
    const token = printed(await run('create token robot --duration=1h')).trim();
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ sub: 'system:serviceaccount:default:robot' });
    expect((await run('create token nobody')).err).toContain('serviceaccounts "nobody" not found');
  });

  it('reports objects that it cannot create', async () => {
    expect((await run('create serviceaccount robot')).err).toContain('serviceaccounts "robot" already exists');
    expect((await run('create namespace Upper')).err).toContain('metadata.name: Invalid value: "Upper"');
    const taken = await run('create service nodeport other --tcp=80 --node-port=30080');
    expect(taken.err).toContain('spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated');
    expect((await run('create service nodeport other --tcp=80 --node-port=80')).err).toContain('30000-32767');
    expect((await run('create priorityclass system-mine --value=1')).err).toContain('priority class names with');
  });
});
