/** A small usual application with a dozen built-in kinds, deployed with the real kubectl. */
import { beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl, kubectlForTests, printed } from '../support/kubectl.js';

const application = `apiVersion: v1
kind: ConfigMap
metadata: { name: shop-settings }
data: { colour: blue }
---
apiVersion: v1
kind: Secret
metadata: { name: shop-password }
stringData: { password: open sesame }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: shop }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: shop-data }
spec:
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1024Mi } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: shop, labels: { app: shop } }
spec:
  replicas: 2
  selector: { matchLabels: { app: shop } }
  template:
    metadata: { labels: { app: shop } }
    spec:
      serviceAccountName: shop
      containers:
        - name: web
          image: registry.example.com/shop:1.2
          ports: [{ containerPort: 8080, name: http }]
          envFrom: [{ configMapRef: { name: shop-settings } }]
          readinessProbe: { httpGet: { path: /ready, port: http } }
          resources: { limits: { cpu: 0.5, memory: 128Mi } }
          volumeMounts: [{ name: data, mountPath: /data }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: shop-data } }]
---
apiVersion: v1
kind: Service
metadata: { name: shop, labels: { app: shop } }
spec:
  selector: { app: shop }
  ports: [{ port: 80, targetPort: http }]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: shop }
spec:
  rules:
    - host: shop.example.com
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: shop, port: { number: 80 } } } }] }
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: shop }
spec:
  podSelector: { matchLabels: { app: shop } }
  ingress: [{ ports: [{ port: 8080 }] }]
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: shop }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: shop }
  maxReplicas: 5
  metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 80 } } }]
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: shop-report }
spec:
  schedule: "0 5 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{ name: report, image: registry.example.com/report }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: shop }
rules: [{ apiGroups: [""], resources: [configmaps], verbs: [get, watch] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: shop }
subjects: [{ kind: ServiceAccount, name: shop, namespace: shop }]
`;

/**
 * The compared columns of each kind: its name, and all columns that depend neither on time nor on assigned addresses.
 */
const listed: readonly (readonly [kind: string, line: RegExp])[] = [
  ['configmaps', /^shop-settings\s+1\s+\d+s$/m],
  ['secrets', /^shop-password\s+Opaque\s+1\s+\d+s$/m],
  ['persistentvolumeclaims', /^shop-data\s+Pending\s+.*\d+s\s+Filesystem$/m],
  ['deployments', /^shop\s+0\/2\s+0\s+0\s+\d+s\s+web\s+registry\.example\.com\/shop:1\.2\s+app=shop$/m],
  ['services', /^shop\s+ClusterIP\s+\d+\.\d+\.\d+\.\d+\s+<none>\s+80\/TCP\s+\d+s\s+app=shop$/m],
  ['ingresses', /^shop\s+<none>\s+shop\.example\.com\s+80\s+\d+s$/m],
  ['networkpolicies', /^shop\s+app=shop\s+\d+s$/m],
  ['horizontalpodautoscalers', /^shop\s+Deployment\/shop\s+<unknown>\/80%\s+1\s+5\s+0\s+\d+s$/m],
  [
    'cronjobs',
    /^shop-report\s+0 5 \* \* \*\s+False\s+0\s+<none>\s+\d+s\s+report\s+registry\.example\.com\/report\s+<none>$/m,
  ],
  ['rolebindings', /^shop\s+Role\/shop\s+\d+s\s+shop\/shop$/m],
];

describe.skipIf(!hasKubectl)('kubectl with a small application (skipped if it is not installed)', () => {
  const kubectl = kubectlForTests();
  beforeAll(async () => {
    printed(await kubectl.run('create', 'namespace', 'shop'));
  });

  it('creates all objects', async () => {
    const out = printed(await kubectl.pipe(application, 'create', '-n', 'shop', '-f', '-'));
    expect(out.trim().split('\n')).toHaveLength(application.split('\n---\n').length);
  });

  it.each(listed)('lists %s', async (kind, line) => {
    expect(printed(await kubectl.run('get', kind, '-n', 'shop', '-o', 'wide'))).toMatch(line);
  });

  it('fills in omitted fields', async () => {
    const { spec } = JSON.parse(printed(await kubectl.run('get', 'deployment', 'shop', '-n', 'shop', '-o', 'json')));
    expect(spec.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } });
    const { restartPolicy, containers } = spec.template.spec;
    expect(restartPolicy).toBe('Always');
    expect(containers[0].resources.limits).toEqual({ cpu: '500m', memory: '128Mi' });
    expect(containers[0].readinessProbe.periodSeconds).toBe(10);
  });

  it('finds everything of the category', async () => {
    const out = printed(await kubectl.run('get', 'all', '-n', 'shop', '-o', 'name'));
    expect(out.trim().split('\n').sort()).toEqual([
      'cronjob.batch/shop-report',
      'deployment.apps/shop',
      'horizontalpodautoscaler.autoscaling/shop',
      'service/shop',
    ]);
  });

  it('explains fields of every kind', async () => {
    const out = printed(await kubectl.run('explain', 'deployment.spec.template.spec.containers.readinessProbe'));
    expect(out).toMatch(/periodSeconds\s+<integer>/);
  });

  it('refuses what cannot be changed', async () => {
    const selector = '{"spec":{"selector":{"matchLabels":{"app":"other"}}}}';
    const refused = await kubectl.run('patch', 'deployment', 'shop', '-n', 'shop', '--type=merge', '-p', selector);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('field is immutable');
  });

  it('deletes all objects', async () => {
    // A claim stays until a controller sees that no pod uses it. This server does not have that controller.
    const unheld = '{"metadata":{"finalizers":null}}';
    await kubectl.run('patch', 'pvc', 'shop-data', '-n', 'shop', '--type', 'merge', '-p', unheld);
    const out = printed(await kubectl.pipe(application, 'delete', '-n', 'shop', '-f', '-'));
    expect(out.trim().split('\n')).toHaveLength(application.split('\n---\n').length);
  });
});
