/** A control plane that envtest starts, uses and stops: users, definitions, webhooks, namespaces, and the remains. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { isArray, isObject, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { patching, startAdmissionWebhook } from '../../support/admission-webhook.js';
import { builtCommand } from '../../support/built-command.js';
import { startConversionWebhook } from '../../support/conversion-webhook.js';
import { type Assets, writeAssets } from '../../support/envtest/assets.js';
import { type ControlPlane, startControlPlane } from '../../support/envtest/control-plane.js';
import { ask } from '../../support/envtest/suite-client.js';
import { runProcess, startProcess, suggestPort } from '../../support/envtest/suite-process.js';
import { until } from '../../support/eventually.js';
import { hasShared, shared } from '../../support/shared.js';

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string): JsonObject => ({ metadata: { name }, data: { a: '1' } });
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const hooksPath = '/apis/admissionregistration.k8s.io/v1';

const nameOf = (object: JsonObject): string | undefined => stringAt(objectAt(object, 'metadata'), 'name');

let assets: Assets;
let plane: ControlPlane;
beforeAll(async () => {
  assets = writeAssets();
  plane = await startControlPlane(assets.folder);
});
afterAll(async () => {
  await plane?.stop();
  assets.remove();
});

const names = (resources: JsonValue | undefined): readonly unknown[] =>
  isArray(resources) ? resources.filter(isObject).map(({ name }) => name) : [];

/** Resolves once discovery has the resource in a version. */
const discovered = (groupVersion: string, plural: string): Promise<true> =>
  until(async () => names((await plane.ask('GET', `/apis/${groupVersion}`)).body.resources).includes(plural));

describe('after the start', () => {
  it('reports its health without credentials, but nothing else', async () => {
    for (const path of ['/healthz', '/readyz', '/livez', '/version']) {
      expect((await ask(plane.url + path)).status, path).toBe(200);
    }
    expect((await ask(`${plane.url}/api/v1/namespaces`)).status).toBe(403);
  });

  it('prints nothing', () => expect(plane.apiServer.printed()).toBe(''));

  it('has the names of Kubernetes and the namespaces of a new cluster', async () => {
    const { body } = await plane.ask('GET', '/api/v1/namespaces');
    const found = (isArray(body.items) ? body.items.filter(isObject) : []).map(nameOf);
    expect(found).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
  });

  it('has its Service at the address of the flags', async () => {
    const { body } = await plane.ask('GET', '/api/v1/namespaces/default/services/kubernetes');
    expect(body.spec).toMatchObject({ clusterIP: '10.0.0.1' });
  });

  it('gives users the rights of their roles', async () => {
    const jane = await plane.addUser('jane', 'devs');
    expect((await ask(plane.url + configMaps, jane)).body.message).toContain('User "jane" cannot list resource');
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
    const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    await plane.ask('POST', `${roles}/roles`, { metadata: { name: 'reader' }, rules });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'devs' }];
    await plane.ask('POST', `${roles}/rolebindings`, { metadata: { name: 'devs' }, roleRef, subjects });
    await until(async () => (await ask(plane.url + configMaps, jane)).status === 200);
  });

  it('issues tokens of service accounts with the key of the suite, and accepts them', async () => {
    await plane.ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
    const path = '/api/v1/namespaces/default/serviceaccounts/robot/token';
    const { body } = await plane.ask('POST', path, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' });
    const token = stringAt(objectAt(body, 'status'), 'token') ?? '';
    const claims: JsonObject = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ iss: `${plane.url}/`, sub: 'system:serviceaccount:default:robot' });
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
    const reviewed = await plane.ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', review);
    expect(reviewed.body.status).toMatchObject({ authenticated: true });
  });

  it('does not run pods, and does not refuse pods without a service account', async () => {
    const containers = [{ name: 'a', image: 'a', securityContext: { privileged: true } }];
    const { status } = await plane.ask('POST', '/api/v1/namespaces/default/pods', {
      metadata: { name: 'a' },
      spec: { containers },
    });
    expect(status).toBe(201);
  });

  it('has a kubeconfig of an administrator beside the certificates', () =>
    expect(readdirSync(plane.certDir)).toEqual(expect.arrayContaining(['apiserver.crt', 'kubeconfig'])));
});

describe('definitions', () => {
  it.skipIf(!hasShared)('finds many that suites install one after the other (skipped without any)', async () => {
    const all = readdirSync(shared('crds', 'definitions'), { recursive: true, encoding: 'utf8' });
    const isUsual = (name: string): boolean =>
      name.endsWith('.yaml') && statSync(shared('crds', 'definitions', name)).size < 60_000;
    const files = all.filter(isUsual).sort().slice(0, 20);
    const waiting: [string, string][] = [];
    for (const file of files) {
      const definition: unknown = load(readFileSync(shared('crds', 'definitions', file), 'utf8'));
      if (!isObject(definition) || !isObject(definition.spec)) throw new Error(`${file} is not a definition`);
      const { status, body } = await plane.ask('POST', definitionsPath, definition);
      expect(status, `${file}: ${body.message}`).toBe(201);
      const { group, names: named, versions } = definition.spec;
      for (const { name, served } of isArray(versions) ? versions.filter(isObject) : []) {
        if (served === true) waiting.push([`${group}/${name}`, isObject(named) ? String(named.plural) : '']);
      }
    }
    for (const [groupVersion, plural] of waiting) await discovered(groupVersion, plural);
    expect(waiting.length).toBeGreaterThanOrEqual(files.length);
  });

  it('are converted by the webhook of the suite, at its path', async () => {
    const webhook = await startConversionWebhook();
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const clientConfig = { url: webhook.url.replace('/convert', '//convert'), caBundle: webhook.caBundle };
    const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
    await plane.ask('POST', definitionsPath, {
      metadata: { name: 'heaters.shop.example.com' },
      spec: {
        group: 'shop.example.com',
        names: { kind: 'Heater', plural: 'heaters' },
        scope: 'Namespaced',
        versions: ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema })),
        conversion,
      },
    });
    await discovered('shop.example.com/v2', 'heaters');
    const path = (version: string): string => `/apis/shop.example.com/${version}/namespaces/default/heaters`;
    const heater = { apiVersion: 'shop.example.com/v1', kind: 'Heater', metadata: { name: 'one' }, spec: { watts: 5 } };
    expect((await plane.ask('POST', path('v1'), heater)).status).toBe(201);
    expect((await plane.ask('GET', `${path('v2')}/one`)).body.spec).toEqual({ power: { watts: 5 } });
    webhook.close();
  });

  it('disappear from discovery when the suite uninstalls them', async () => {
    await plane.ask('DELETE', `${definitionsPath}/heaters.shop.example.com`);
    await until(async () => (await plane.ask('GET', '/apis/shop.example.com/v2')).status === 404);
  });
});

describe('webhooks', () => {
  it('are called after their installation, at a path with two slashes, and their answers count', async () => {
    const webhook = await startAdmissionWebhook();
    webhook.behaviours.set('/mutate', () => patching({ op: 'add', path: '/data/b', value: '2' }));
    webhook.behaviours.set('/validate', () => ({ allowed: false, status: { message: 'not today' } }));
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
    const hook = (path: string): object => ({
      name: 'hook.shop.example.com',
      rules,
      clientConfig: { url: `${webhook.url}/${path}`, caBundle: webhook.caBundle },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
    });
    const install = async (kind: string, path: string): Promise<string> => {
      const at = `${hooksPath}/${kind}webhookconfigurations`;
      await plane.ask('POST', at, { metadata: { name: 'shop' }, webhooks: [hook(path)] });
      await until(async () => (await plane.ask('GET', `${at}/shop`)).status === 200);
      return `${at}/shop`;
    };
    const mutating = await install('mutating', '/mutate');
    await until(async () => {
      const { body } = await plane.ask('POST', configMaps, { metadata: { generateName: 'm-' }, data: { a: '1' } });
      return stringAt(objectAt(body, 'data'), 'b') === '2';
    });
    const validating = await install('validating', '/validate');
    await until(async () => {
      const { body } = await plane.ask('POST', configMaps, { metadata: { generateName: 'v-' }, data: { a: '1' } });
      return body.message === 'admission webhook "hook.shop.example.com" denied the request: not today';
    });
    await plane.ask('DELETE', mutating);
    await plane.ask('DELETE', validating);
    webhook.close();
  });
});

describe('without controllers', () => {
  it('a namespace waits until the suite removes its finalizer', async () => {
    await plane.ask('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
    const { body } = await plane.ask('DELETE', '/api/v1/namespaces/shop');
    expect(body.status).toMatchObject({ phase: 'Terminating' });
    expect((await plane.ask('GET', '/api/v1/namespaces/shop')).body).toMatchObject({
      spec: { finalizers: ['kubernetes'] },
    });
    const finalized = { ...body, spec: { finalizers: [] } };
    expect((await plane.ask('PUT', '/api/v1/namespaces/shop/finalize', finalized)).status).toBe(200);
    expect((await plane.ask('GET', '/api/v1/namespaces/shop')).status).toBe(404);
  });

  it('dependents stay when their owner is deleted', async () => {
    const owner = (await plane.ask('POST', configMaps, configMap('owner'))).body;
    const uid = stringAt(objectAt(owner, 'metadata'), 'uid') ?? '';
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await plane.ask('POST', configMaps, { metadata: { name: 'owned', ownerReferences } });
    await plane.ask('DELETE', `${configMaps}/owner`);
    expect((await plane.ask('GET', `${configMaps}/owned`)).status).toBe(200);
  });
});

it('a second control plane has objects of its own; both end on request, and leave nothing', async () => {
  const second = await startControlPlane(assets.folder, {
    environment: { KINDFORGE_CONTROLLERS: 'garbagecollector,namespace' },
  });
  await second.ask('POST', configMaps, configMap('second'));
  expect((await plane.ask('GET', `${configMaps}/second`)).status).toBe(404);
  // Requested controllers do the work that nobody does in the first control plane.
  await second.ask('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
  await second.ask('DELETE', '/api/v1/namespaces/shop');
  await until(async () => (await second.ask('GET', '/api/v1/namespaces/shop')).status === 404);
  // An open watch does not prevent the end.
  const watch = ask(`${second.url}${configMaps}?watch=true`, second.admin);
  await second.stop();
  await watch.catch(() => undefined);
  expect(await second.apiServer.ended).toEqual({ code: 0, signal: null });
  expect(await second.etcd.ended).toEqual({ code: 0, signal: null });
  for (const { pid } of [second.apiServer, second.etcd]) expect(existsSync(`/proc/${pid}`)).toBe(false);
});

it('a port in use ends either program, with a message', async () => {
  const port = new URL(plane.url).port;
  const args = [`--secure-port=${port}`, `--cert-dir=${plane.certDir}`];
  const server = await runProcess(assets.folder, 'kube-apiserver', args);
  expect(server.code).toBe(1);
  expect(server.text).toContain(port);
  const etcd = await runProcess(assets.folder, 'etcd', [`--listen-client-urls=http://127.0.0.1:${port}`]);
  expect(etcd).toEqual({ code: 1, text: expect.stringContaining('address already in use') });
});

it('etcd ends on a signal during its start', async () => {
  const etcd = startProcess(assets.folder, 'etcd', [`--listen-client-urls=http://127.0.0.1:${await suggestPort()}`]);
  await etcd.stop();
  expect(existsSync(`/proc/${etcd.pid}`)).toBe(false);
});

it('keeps programs of others, and replaces its own', () => {
  const folder = join(assets.folder, '..', 'theirs');
  mkdirSync(folder);
  writeFileSync(join(folder, 'etcd'), '\x7fELF');
  const command = [builtCommand(), 'envtest-assets'];
  expect(spawnSync(process.execPath, [...command, folder], { encoding: 'utf8' })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('etcd exists and was not written by Kindforge'),
  });
  expect(readdirSync(folder)).toEqual(['etcd']);
  expect(spawnSync(process.execPath, [...command, assets.folder]).status).toBe(0);
});

it('kubectl in the folder is the kubectl of the path', async () => {
  const { text } = await runProcess(assets.folder, 'kubectl', ['version'], { PATH: `${assets.folder}:/nowhere` });
  expect(text).toContain('there is none on the PATH');
  const path = `${assets.folder}:${join(assets.folder, '.')}:${process.env.PATH}`;
  expect((await runProcess(assets.folder, 'kubectl', ['--version'], { PATH: path })).text).not.toContain('kindforge');
});
