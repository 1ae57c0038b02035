/** Dependents of deletes without a propagation policy, kind by kind. */
import { describe, expect, it } from 'vitest';
import { resource as jobs } from '../../../../generated/batch/v1/jobs/resource.js';
import { resource as configMaps } from '../../../../generated/core/v1/configmaps/resource.js';
import { resource as events } from '../../../../generated/core/v1/events/resource.js';
import { resource as namespaces } from '../../../../generated/core/v1/namespaces/resource.js';
import { resource as controllers } from '../../../../generated/core/v1/replicationcontrollers/resource.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { objectAt } from '../../../../runtime/objects/guards.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { kindHandlers } from '../../../../strategies/index.js';
import { suiteApi } from '../../../support/test-api.js';
import { podTemplate } from '../../../support/workloads.js';

const api = await suiteApi([jobs, configMaps, events, namespaces, controllers], {
  handlers: kindHandlers(platformNaming),
});

const core = '/api/v1/namespaces/default';
const kinds: Readonly<Record<string, readonly [path: string, object: JsonObject]>> = {
  Job: ['/apis/batch/v1/namespaces/default/jobs', { spec: { template: podTemplate({ restartPolicy: 'Never' }) } }],
  ReplicationController: [
    `${core}/replicationcontrollers`,
    { spec: { selector: { app: 'a' }, template: podTemplate({}, { app: 'a' }) } },
  ],
  ConfigMap: [`${core}/configmaps`, {}],
  Event: [`${core}/events`, { involvedObject: { namespace: 'default' } }],
};

let count = 0;

async function made(kind: string, finalizers: readonly string[]): Promise<string> {
  const [path, object] = kinds[kind] ?? ['', {}];
  const name = `d${count++}`;
  const reply = await api.send('POST', path, { ...object, metadata: { name, finalizers: [...finalizers] } });
  expect(reply.code, reply.text).toBe(201);
  return `${path}/${name}`;
}

const finalizersAt = async (path: string): Promise<unknown> => {
  const reply = await api.send('GET', path);
  return reply.code === 404 ? 'gone' : objectAt(reply.body, 'metadata')?.finalizers;
};

const own = 'example.com/own';

describe('a delete', () => {
  it.each<[kind: string, before: readonly string[], query: string, after: readonly string[] | 'gone']>([
    ['Job', [], '', ['orphan']],
    ['Job', [own], '', [own, 'orphan']],
    ['Job', [], '?propagationPolicy=Background', 'gone'],
    ['Job', [], '?propagationPolicy=Foreground', ['foregroundDeletion']],
    ['Job', [], '?orphanDependents=false', 'gone'],
    ['Job', ['foregroundDeletion'], '', ['foregroundDeletion']],
    ['ReplicationController', [], '', ['orphan']],
    ['ReplicationController', [], '?propagationPolicy=Background', 'gone'],
    ['ConfigMap', [], '', 'gone'],
    ['ConfigMap', ['orphan', own], '', ['orphan', own]],
    ['ConfigMap', ['orphan', own], '?propagationPolicy=Background', [own]],
    ['ConfigMap', [], '?propagationPolicy=Orphan', ['orphan']],
    ['Event', [], '?propagationPolicy=Orphan', 'gone'],
    ['Event', [], '?propagationPolicy=Foreground', 'gone'],
    ['Event', ['orphan'], '', 'gone'],
  ])('of a %s with %j and %s leaves %j', async (kind, before, query, after) => {
    const path = await made(kind, before);
    const reply = await api.send('DELETE', `${path}${query}`);
    expect(reply.code).toBe(200);
    expect(await finalizersAt(path)).toEqual(after);
    if (after === 'gone') return;
    expect(objectAt(reply.body, 'metadata')).toMatchObject({ finalizers: after, deletionGracePeriodSeconds: 0 });
  });

  it('warns of jobs that leave their pods behind, once for a collection, and of no other kinds', async () => {
    const warned = async (path: string) => (await api.send('DELETE', path)).headers.warning;
    const [jobsPath = ''] = kinds.Job ?? [];
    const words = expect.stringContaining('child pods are preserved by default when jobs are deleted');
    expect([await warned(await made('Job', []))].flat()).toEqual([words]);
    expect([await warned(jobsPath)].flat()).toEqual([words]);
    expect(await warned(`${await made('Job', [])}?propagationPolicy=Orphan`)).toBeUndefined();
    expect(await warned(`${await made('Job', [])}?orphanDependents=true`)).toBeUndefined();
    expect(await warned(await made('ReplicationController', []))).toBeUndefined();
  });
});

describe('preconditions', () => {
  const remove = (path: string, preconditions: JsonObject) => api.send('DELETE', path, { preconditions });

  it('are refused with the actual value', async () => {
    const path = await made('ConfigMap', []);
    const { body } = await remove(path, { uid: 'u' });
    expect(body.message).toMatch(
      /on ConfigMap "d\d+": the UID in the precondition \(u\) does not match the UID in record/,
    );
    expect((await remove(path, { resourceVersion: '1' })).body.message).toContain(
      'The object might have been modified',
    );
  });

  it('have the words of the store for namespaces', async () => {
    await api.send('POST', '/api/v1/namespaces', { metadata: { name: 'held' } });
    const { body } = await remove('/api/v1/namespaces/held', { uid: 'u' });
    expect(body.message).toMatch(
      /on namespaces "held": Precondition failed: UID in precondition: u, UID in object meta: ./,
    );
    const revision = await remove('/api/v1/namespaces/held', { resourceVersion: '1' });
    expect(revision.body.message).toContain('ResourceVersion in precondition: 1, ResourceVersion in object meta: ');
  });
});

describe('owner references that a patch changes', () => {
  const reference = (uid: string) => ({ apiVersion: 'v1', kind: 'Pod', name: uid, uid });
  const strategic = { 'content-type': 'application/strategic-merge-patch+json' };

  it('are identified by uid, and removed one by one', async () => {
    const path = await made('ConfigMap', []);
    const patch = (body: JsonObject) => api.send('PATCH', path, JSON.stringify(body), strategic);
    const owners = async () => objectAt((await api.send('GET', path)).body, 'metadata')?.ownerReferences;
    await patch({ metadata: { ownerReferences: [reference('a'), reference('b')] } });
    await patch({ metadata: { ownerReferences: [{ uid: 'b', controller: true }] } });
    expect(await owners()).toEqual([reference('a'), { ...reference('b'), controller: true }]);
    expect((await patch({ metadata: { uid: 'other', ownerReferences: [{ $patch: 'delete', uid: 'a' }] } })).code).toBe(
      422,
    );
    await patch({ metadata: { ownerReferences: [{ $patch: 'delete', uid: 'a' }] } });
    expect(await owners()).toEqual([{ ...reference('b'), controller: true }]);
  });
});
