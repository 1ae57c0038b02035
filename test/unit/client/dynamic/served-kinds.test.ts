import { describe, expect, it } from 'vitest';
import { KindCache } from '../../../../client/dynamic/kind-cache.js';
import { readServedKinds } from '../../../../client/dynamic/served-kinds.js';
import { isUnknownKind } from '../../../../client/dynamic/types.js';
import { ConnectionError, type Transport } from '../../../../client/index.js';
import { rejection } from '../../../support/sdk.js';

const resources = [
  { name: 'widgets', singularName: 'widget', kind: 'Widget', namespaced: true, verbs: ['get'], shortNames: ['wd'] },
  { name: 'widgets/status', singularName: '', kind: 'Widget', namespaced: true, verbs: ['get'] },
];

const byVersion: Readonly<Record<string, unknown>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/api/v1': { resources: [{ name: 'nodes', kind: 'Node', namespaced: false, verbs: ['list'] }] },
  '/apis': {
    kind: 'APIGroupList',
    groups: [
      {
        name: 'shop.example.com',
        preferredVersion: { version: 'v1' },
        versions: [{ version: 'v1beta1' }, { version: 'v1' }],
      },
      { name: 'down.example.com', preferredVersion: { version: 'v1' }, versions: [{ version: 'v1' }] },
    ],
  },
  '/apis/shop.example.com/v1': { resources },
  '/apis/shop.example.com/v1beta1': { resources },
};

const aggregated: Readonly<Record<string, unknown>> = {
  '/apis': {
    kind: 'APIGroupDiscoveryList',
    items: [
      {
        metadata: { name: 'shop.example.com' },
        versions: [
          {
            version: 'v1',
            freshness: 'Current',
            resources: [
              {
                resource: 'widgets',
                responseKind: { kind: 'Widget' },
                scope: 'Namespaced',
                singularResource: 'widget',
                verbs: ['get'],
                subresources: [{ subresource: 'status' }],
              },
              { resource: 'parts', responseKind: null, scope: 'Namespaced', verbs: [] },
            ],
          },
        ],
      },
      { metadata: { name: 'down.example.com' }, versions: [{ version: 'v1', freshness: 'Stale' }] },
    ],
  },
};

function answering(answers: Readonly<Record<string, unknown>>): Transport & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    send: ({ path }) => {
      asked.push(path);
      const isDown = path.includes('down.example.com');
      const body = isDown ? { kind: 'Status', code: 503 } : (answers[path] ?? { kind: 'Status', reason: 'NotFound' });
      return Promise.resolve({
        status: isDown ? 503 : path in answers ? 200 : 404,
        header: () => '',
        text: () => Promise.resolve(JSON.stringify(body)),
        chunks: async function* () {},
      });
    },
  };
}

describe('readServedKinds', () => {
  it('requests every version if the server lacks aggregated discovery', async () => {
    const transport = answering(byVersion);
    const { kinds, failed } = await readServedKinds({ transport });
    expect(kinds.map(({ group, version, plural, isPreferred }) => [group, version, plural, isPreferred])).toEqual([
      ['', 'v1', 'nodes', true],
      ['shop.example.com', 'v1', 'widgets', true],
      ['shop.example.com', 'v1beta1', 'widgets', false],
    ]);
    expect(kinds[1]).toMatchObject({ scope: 'Namespaced', subresources: ['status'], singular: 'widget' });
    expect(kinds[0]?.scope).toBe('Cluster');
    expect(failed.map(({ groupVersion }) => groupVersion)).toEqual(['down.example.com/v1']);
    expect(transport.asked).toHaveLength(6);
  });

  it('sends two requests if the server has it', async () => {
    const transport = answering(aggregated);
    const { kinds, failed } = await readServedKinds({ transport });
    expect(kinds).toEqual([
      {
        ...{ group: 'shop.example.com', version: 'v1', plural: 'widgets', kind: 'Widget', scope: 'Namespaced' },
        ...{ subresources: ['status'], verbs: ['get'], shortNames: [], singular: 'widget', categories: [] },
        isPreferred: true,
      },
    ]);
    expect(failed.map(({ groupVersion }) => groupVersion)).toEqual(['down.example.com/v1']);
    expect(transport.asked).toEqual(['/api', '/apis']);
  });
});

describe('KindCache', () => {
  it('sends one request for many callers, and another one for an unknown kind', async () => {
    const answers: Record<string, unknown> = { ...byVersion };
    const transport = answering(answers);
    const cache = new KindCache({ transport });
    const widget = { apiVersion: 'shop.example.com/v1', kind: 'Widget' };
    await Promise.all([cache.find(widget), cache.find('nodes'), cache.find('wd')]);
    await cache.find(widget);
    expect(transport.asked).toHaveLength(6);
    const gadget = { apiVersion: 'shop.example.com/v1', kind: 'Gadget' };
    expect(isUnknownKind(await rejection(cache.find(gadget)))).toBe(true);
    expect(transport.asked).toHaveLength(12);
    const gadgets = { name: 'gadgets', kind: 'Gadget', namespaced: false, verbs: [] };
    answers['/apis/shop.example.com/v1'] = { resources: [...resources, gadgets] };
    expect((await cache.find(gadget)).plural).toBe('gadgets');
  });

  it('sends no second request right after the first', async () => {
    const transport = answering(byVersion);
    expect(isUnknownKind(await rejection(new KindCache({ transport }).find('sausages')))).toBe(true);
    expect(transport.asked).toHaveLength(6);
  });

  it('keeps no failure, and releases callers that do not wait for it', async () => {
    let answer: (error: Error) => void = () => {};
    const failing: Transport = { send: () => new Promise((_, reject) => (answer = reject)) };
    const transport: { current: Transport } = { current: failing };
    const cache = new KindCache({ transport: { send: (request) => transport.current.send(request) } });
    const controller = new AbortController();
    const given = rejection(cache.find('nodes', { signal: controller.signal }));
    const impatient = rejection(cache.find('nodes', { timeoutMs: 5 }));
    const waiting = rejection(cache.find('nodes'));
    controller.abort(new Error('enough'));
    expect(await given).toMatchObject({ message: 'enough' });
    expect(String(await impatient)).toBe('ConnectionError: no answer to which kinds there are: 5 ms are over');
    answer(new ConnectionError('no answer', 'it is down'));
    expect(await waiting).toBeInstanceOf(ConnectionError);
    transport.current = answering(byVersion);
    expect((await cache.find('nodes')).kind).toBe('Node');
  });
});
