/** Makes ordered widgets. The default export is a controller for `kindforge controllers --module`. */
import { createResourceClient, defineResource } from 'kindforge/client';
import { defineController, ignoreNotFound, watch } from 'kindforge/client/node';
import type { Widget } from '../shop/generated/shop.example.com/v1/index.js';

const widgets = defineResource<Widget>()({
  group: 'shop.example.com',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  scope: 'Namespaced',
  subresources: ['status'],
} as const);

export default defineController({
  name: 'maker',
  watches: [watch(widgets)],
  /** Brings one order a step further. Each change that it writes makes the controller call it again. */
  async reconcile(key, { client, cacheOf, signal }) {
    const order = cacheOf(widgets).get(key);
    const made = order?.status?.made ?? 0;
    if (order === undefined || made >= (order.spec.count ?? 0)) return;
    const { name = '', namespace = '', resourceVersion = '' } = order.metadata;
    const change = { metadata: { resourceVersion }, status: { made: made + 1 } };
    const orders = createResourceClient(widgets, client).in(namespace).subresource('status');
    await orders.patch(name, change, { signal }).catch(ignoreNotFound);
    console.log(`${name}: ${made + 1} of ${order.spec.count}`);
  },
});
