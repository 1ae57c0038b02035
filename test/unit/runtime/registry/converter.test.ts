/** Converting objects without a server, and groups that share stored objects. */
import { describe, expect, it } from 'vitest';
import type { ResourceModule } from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { buildRegistry } from '../../../../runtime/registry/registry.js';
import { defineConversion } from '../../../../runtime/schema/index.js';
import { defineConverter } from '../../../../runtime/server/index.js';
import { moduleOf } from '../../../support/modules.js';
import { suiteApi } from '../../../support/test-api.js';

const steps = defineConversion([{ move: { field: 'note', stored: 'message' } }]);
const core = moduleOf('', 'events', 'Event', { selectableFields: ['message'] });
const other = moduleOf('events.platform.io', 'events', 'Event', {
  storage: false,
  storedAs: { group: '', plural: 'events' },
  conversion: steps,
  selectableFields: ['note'],
});
const beta: ResourceModule = { ...other, version: 'v1beta1', served: false };
const modules = [core, other, beta];

describe('the converter', () => {
  const convert = defineConverter({ modules, naming: kubernetesNaming });
  const event = { apiVersion: 'events.k8s.io/v1beta1', kind: 'Event', metadata: { name: 'a' }, note: 'n' };

  it('converts to the requested version, or else to the best one of the group', async () => {
    const preferred = await convert(structuredClone(event));
    expect(preferred).toMatchObject({ ok: true, value: { object: { apiVersion: 'events.k8s.io/v1', note: 'n' } } });
    const stored = await convert(structuredClone(event), 'v1');
    expect(stored).toMatchObject({ ok: true, value: { object: { apiVersion: 'v1', message: 'n' } } });
  });

  it('adds no metadata to an object without it', async () => {
    const bare: ResourceModule = {
      ...moduleOf('', 'answers', 'Answer'),
      verbs: [],
      virtual: true,
      withoutMetadata: true,
    };
    const converted = await defineConverter({ modules: [bare], naming: kubernetesNaming })({
      apiVersion: 'v1',
      kind: 'Answer',
    });
    expect(converted).toMatchObject({ ok: true });
    expect(converted.ok && converted.value.object).toEqual({ apiVersion: 'v1', kind: 'Answer' });
  });

  it('leaves objects unchanged that only a webhook can convert', async () => {
    const conversionWebhook = { clientConfig: { url: 'https://example.com' }, conversionReviewVersions: ['v1'] };
    const versions = ['v1', 'v2'].map((version) => ({
      ...moduleOf('example.com', 'lamps', 'Lamp', { storage: version === 'v1' }),
      version,
      conversionWebhook,
    }));
    const lamps = defineConverter({ modules: versions, naming: kubernetesNaming });
    const lamp = { apiVersion: 'example.com/v2', kind: 'Lamp', metadata: { name: 'a' } };
    expect((await lamps({ ...lamp }, 'example.com/v2')).ok).toBe(true);
    const message = 'Lamp of example.com/v2 cannot be converted to example.com/v1 here: only its webhook can do that';
    expect(await lamps({ ...lamp }, 'example.com/v1')).toMatchObject({ ok: false, failure: { message } });
  });

  it('lists the versions', async () => {
    const message = 'Event of v1 cannot be converted to v2, only to: v1, events.k8s.io/v1, events.k8s.io/v1beta1';
    expect(await convert({ apiVersion: 'v1', kind: 'Event' }, 'v2')).toMatchObject({ ok: false, failure: { message } });
    const nothing = { ok: false, failure: { message: 'unknown kind (none) of (no apiVersion)' } };
    expect(await convert({})).toMatchObject(nothing);
  });
});

describe('groups that share stored objects', async () => {
  const api = await suiteApi(modules);
  const corePath = '/api/v1/namespaces/a/events';
  const otherPath = '/apis/events.platform.io/v1/namespaces/a/events';

  it('have the same objects, each in its own form', async () => {
    const refused = await api.send('POST', otherPath, { metadata: { name: 'z', labels: { a: 'no value!' } } });
    expect(refused.body).toMatchObject({ code: 422, details: { name: 'z', kind: 'Event' } });
    expect(refused.body.details).not.toHaveProperty('group');
    const watched = await api.watch(`${corePath}?watch=true`);
    const created = await api.send('POST', otherPath, { metadata: { name: 'x' }, note: 'hello' });
    expect(created.body).toMatchObject({ apiVersion: 'events.platform.io/v1', note: 'hello' });
    expect((await api.send('GET', `${corePath}/x`)).body).toMatchObject({ apiVersion: 'v1', message: 'hello' });
    expect((await api.send('GET', `${otherPath}?fieldSelector=note%3Dhello`)).body.items).toHaveLength(1);
    expect((await api.send('GET', `${otherPath}?fieldSelector=note%3Dx`)).body.items).toHaveLength(0);
    expect(watched.events).toMatchObject([{ type: 'ADDED', object: { message: 'hello' } }]);
    watched.stop();
  });

  it('have owners in the group of the last write: others are forgotten, and never conflict', async () => {
    const yaml = { 'content-type': 'application/apply-patch+yaml' };
    const apply = (path: string, body: object, manager: string) =>
      api.send('PATCH', `${path}/y?fieldManager=${manager}`, body, yaml);
    const first = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'y' }, message: 'one' };
    expect((await apply(corePath, first, 'a')).code).toBe(201);
    const second = { apiVersion: 'events.platform.io/v1', kind: 'Event', metadata: { name: 'y' }, note: 'two' };
    const applied = await apply(otherPath, second, 'b');
    expect(applied).toMatchObject({ code: 200, body: { note: 'two' } });
    const entry = expect.objectContaining({ manager: 'b', apiVersion: 'events.platform.io/v1' });
    expect(applied.body.metadata).toMatchObject({ managedFields: [entry] });
    expect((await api.send('GET', `${corePath}/y`)).body.metadata).toMatchObject({ managedFields: [entry] });
  });

  it('are refused if the shared resource does not exist', () => {
    const registry = () => buildRegistry({ modules: [other], handlers: [], plugins: [], featureEnabled: () => true });
    expect(registry).toThrow('resource events.platform.io/events is stored as /events, which does not exist');
  });

  it('may name a conversion in code, which must exist', () => {
    const named = [core, { ...other, conversionName: 'odd' }];
    const build = () => buildRegistry({ modules: named, handlers: [], plugins: [], featureEnabled: () => true });
    expect(build).toThrow('unknown conversion odd');
  });
});
