/** The generated client against a real server, over each way to connect: writes, reads, subresources and errors. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ApiError,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  isStatus,
} from '../../client/index.js';
import type { Client } from '../../generated/client.js';
import { makeRequest } from '../support/certificates.js';
import { type Connected, collect, connections, rejection } from '../support/sdk.js';

describe.each(connections)('the typed client %s', (_way, connect) => {
  let connected: Connected;
  let api: Client;
  let maps: ReturnType<Client['core']['v1']['configMaps']['in']>;
  beforeAll(async () => {
    connected = await connect();
    api = connected.api;
    maps = api.core.v1.configMaps.in('default');
  });
  afterAll(() => connected.stop());

  describe('writes', () => {
    it('creates and gets', async () => {
      const created = await maps.create({ metadata: { name: 'made' }, data: { a: '1' } });
      expect(created).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { namespace: 'default' } });
      expect(await maps.get('made')).toEqual(created);
    });

    it('creates in the namespace of the object, and with generated names', async () => {
      const object = { metadata: { generateName: 'made-up-', namespace: 'default' } };
      expect((await api.core.v1.configMaps.create(object)).metadata.name).toMatch(/^made-up-.{5}$/);
    });

    it('creates with the defaults of the kind', async () => {
      const driver = await api.storage.v1.csiDrivers.create({ metadata: { name: 'd.example.com' }, spec: {} });
      expect(driver.spec.fsGroupPolicy).toBe('ReadWriteOnceWithFSType');
      expect(await api.storage.v1.csiDrivers.get('d.example.com')).toEqual(driver);
    });

    it('creates an object with its own apiVersion and kind', async () => {
      const created = await api.storage.v1.csiDrivers.create({
        apiVersion: 'storage.platform.io/v1',
        kind: 'CSIDriver',
        metadata: { name: 'named.example.com' },
        spec: { podInfoOnMount: true },
      });
      expect(created.spec.podInfoOnMount).toBe(true);
    });

    it('updates, unless another client was faster', async () => {
      const created = await maps.create({ metadata: { name: 'updated' }, data: { a: '1' } });
      const updated = await maps.update({ ...created, data: { a: '2' } });
      expect(updated.data).toEqual({ a: '2' });
      expect(updated.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion);
      const late = await rejection(maps.update({ ...created, data: { a: '3' } }));
      expect(isConflict(late)).toBe(true);
      const { resourceVersion: _, ...metadata } = created.metadata;
      expect((await maps.update({ ...created, metadata, data: { a: '4' } })).data).toEqual({ a: '4' });
    });

    it('patches by merge and by operations', async () => {
      await maps.create({ metadata: { name: 'patched' }, data: { a: '1', b: '1' } });
      expect((await maps.patch('patched', { data: { a: null, c: '1' } })).data).toEqual({ b: '1', c: '1' });
      const added = await maps.jsonPatch('patched', [
        { op: 'test', path: '/data/b', value: '1' },
        { op: 'move', from: '/data/b', path: '/data/d' },
      ]);
      expect(added.data).toEqual({ c: '1', d: '1' });
      const failed = await rejection(maps.jsonPatch('patched', [{ op: 'test', path: '/data/c', value: 'x' }]));
      expect(isInvalid(failed)).toBe(true);
    });

    it('records the field manager', async () => {
      const created = await maps.create({ metadata: { name: 'signed' }, data: { a: '1' } }, { fieldManager: 'tester' });
      expect(created.metadata.managedFields).toMatchObject([{ manager: 'tester', operation: 'Update' }]);
    });

    it('runs dry', async () => {
      const dry = { dryRun: true };
      expect((await maps.create({ metadata: { name: 'dry' }, data: { a: '1' } }, dry)).metadata.uid).toBeTruthy();
      expect(isNotFound(await rejection(maps.get('dry')))).toBe(true);
      await maps.create({ metadata: { name: 'dry' }, data: { a: '1' } });
      expect((await maps.patch('dry', { data: { a: '2' } }, dry)).data).toEqual({ a: '2' });
      await maps.apply({ metadata: { name: 'dry' }, data: { b: '2' } }, { fieldManager: 'x', dryRun: true });
      await maps.delete('dry', dry);
      await maps.deleteCollection({ fieldSelector: 'metadata.name=dry', dryRun: true });
      expect((await maps.get('dry')).data).toEqual({ a: '1' });
    });

    it('deletes, and answers as the kind has it', async () => {
      const { metadata } = await maps.create({ metadata: { name: 'deleted' } });
      const other = { preconditions: { uid: 'another' } };
      expect(isConflict(await rejection(maps.delete('deleted', other)))).toBe(true);
      const answer = await maps.delete('deleted', { preconditions: { uid: String(metadata.uid) } });
      expect(isStatus(answer) && answer.details?.uid).toBe(metadata.uid);
      await api.storage.v1.csiDrivers.create({ metadata: { name: 'gone.example.com' }, spec: {} });
      const driver = await api.storage.v1.csiDrivers.delete('gone.example.com', { propagationPolicy: 'Background' });
      expect(driver).toMatchObject({ kind: 'CSIDriver', metadata: { name: 'gone.example.com' } });
    });

    it('deletes the objects that selectors match', async () => {
      for (const name of ['c1', 'c2', 'c3'])
        await maps.create({ metadata: { name, labels: { keep: name === 'c2' ? 'yes' : 'no' } } });
      await maps.deleteCollection({ labelSelector: 'keep=no' });
      expect((await maps.list({ labelSelector: 'keep' })).items.map(({ metadata }) => metadata.name)).toEqual(['c2']);
    });
  });

  describe('reads of collections', () => {
    it('select by labels and fields, in a namespace and across', async () => {
      await api.core.v1.namespaces.create({ metadata: { name: 'elsewhere' } });
      for (const namespace of ['default', 'elsewhere'])
        await api.core.v1.configMaps.create({ metadata: { name: 'listed', namespace, labels: { of: 'lists' } } });
      const all = await api.core.v1.configMaps.list({ labelSelector: 'of in (lists)' });
      expect(all.items.map(({ metadata }) => metadata.namespace)).toEqual(['default', 'elsewhere']);
      expect(all).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
      const one = await maps.list({ fieldSelector: 'metadata.name=listed' });
      expect(one.items).toMatchObject([{ kind: 'ConfigMap', apiVersion: 'v1', metadata: { namespace: 'default' } }]);
      expect((await maps.list({ labelSelector: 'of=nothing' })).items).toEqual([]);
    });

    it('read one state in chunks while others write', async () => {
      const secrets = api.core.v1.secrets.in('default');
      const names = Array.from({ length: 25 }, (_, i) => `chunked-${String(i).padStart(2, '0')}`);
      for (const name of names) await secrets.create({ metadata: { name, labels: { round: 'one' } } });
      const sizes: number[] = [];
      const seen: string[] = [];
      for await (const page of secrets.pages({ limit: 4 })) {
        sizes.push(page.items.length);
        seen.push(...page.items.map(({ metadata, kind }) => `${kind} ${metadata.name}`));
        await secrets.create({ metadata: { name: `chunked-05-new-${sizes.length}` } });
        await secrets.delete(names[25 - sizes.length] ?? '');
        await secrets.patch(names[12] ?? '', { metadata: { labels: { round: `${sizes.length}` } } });
      }
      expect(sizes).toEqual([4, 4, 4, 4, 4, 4, 1]);
      expect(seen).toEqual(names.map((name) => `Secret ${name}`));
    });

    it('yield one object after another, from every namespace', async () => {
      const drivers = await collect(api.storage.v1.csiDrivers.each({ limit: 1 }));
      const { items } = await api.storage.v1.csiDrivers.list();
      expect(drivers).toEqual(items);
      expect(await collect(api.core.v1.namespaces.each({ limit: 2, resourceVersion: '0' }))).not.toEqual([]);
    });

    it('stop requesting chunks when the reader leaves', async () => {
      let asked = 0;
      for await (const _ of api.core.v1.namespaces.pages({ limit: 1 })) if (++asked === 2) break;
      expect(asked).toBe(2);
    });
  });

  describe('subresources', () => {
    it('accept only their own fields', async () => {
      const requests = api.certificates.v1.certificateSigningRequests;
      const request = Buffer.from(await makeRequest('CN=tester')).toString('base64');
      const spec = { request, signerName: 'example.com/signer', usages: ['client auth' as const] };
      const created = await requests.create({ metadata: { name: 'asked' }, spec });
      const condition = { type: 'Approved', status: 'True' as const, reason: 'Tested', message: 'by a test' };
      const approved = await requests.subresource('approval').update({
        ...created,
        spec: { ...created.spec, expirationSeconds: 1000 },
        status: { conditions: [condition] },
      });
      expect(approved.status?.conditions).toMatchObject([condition]);
      expect(approved.spec).toEqual(created.spec);
      expect(await requests.subresource('status').get('asked')).toEqual(await requests.get('asked'));
      const failed = { ...condition, type: 'Failed' };
      const patched = await requests
        .subresource('status')
        .patch('asked', { status: { conditions: [condition, failed] } });
      expect(patched.status?.conditions?.map(({ type }) => type)).toEqual(['Approved', 'Failed']);
    });
  });

  describe('errors', () => {
    it('are distinguished', async () => {
      const drivers = api.storage.v1.csiDrivers;
      const missing = await rejection(drivers.get('missing.example.com'));
      expect(isNotFound(missing)).toBe(true);
      expect(isConflict(missing)).toBe(false);
      await maps.create({ metadata: { name: 'taken' } });
      expect(isAlreadyExists(await rejection(maps.create({ metadata: { name: 'taken' } })))).toBe(true);
      expect(isForbidden(await rejection(api.core.v1.namespaces.delete('default')))).toBe(true);
      expect(isBadRequest(await rejection(maps.list({ labelSelector: 'a in' })))).toBe(true);
    });

    it('name the mistake and the field', async () => {
      const error = await rejection(maps.create({ metadata: { name: 'Wrong Name' }, data: { 'a b': '1' } }));
      expect(isInvalid(error)).toBe(true);
      if (!(error instanceof ApiError)) throw error;
      expect(error.code).toBe(422);
      expect(error.message).toContain('ConfigMap "Wrong Name" is invalid');
      expect(error.status.details?.causes?.map(({ field }) => field)).toEqual(['metadata.name', 'data[a b]']);
    });

    it('are warnings if the server accepts the request', async () => {
      const warnings: string[] = [];
      const api = connected.client({ onWarning: (text) => warnings.push(text) });
      const object = { metadata: { name: 'warned', namespace: 'default' }, colour: 'red', 'größe ☃': 1 };
      await api.core.v1.configMaps.create(object);
      expect(warnings).toEqual(['unknown field "colour"', 'unknown field "größe ☃"']);
      const strict = api.core.v1.configMaps.create(object, { fieldValidation: 'Strict' });
      expect(isBadRequest(await rejection(strict))).toBe(true);
    });

    it('come before any request if a name or namespace is missing', async () => {
      expect(await rejection(maps.get(''))).toBeInstanceOf(TypeError);
      expect(await rejection(maps.delete('..'))).toBeInstanceOf(TypeError);
      expect(await rejection(api.core.v1.configMaps.create({ metadata: { name: 'nowhere' } }))).toMatchObject({
        message: expect.stringContaining("configmaps live in namespaces: say which with in('…')"),
      });
    });
  });
});
