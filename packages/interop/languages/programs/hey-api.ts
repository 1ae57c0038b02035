/** Orders a widget through the client that hey-api generates. */
import { client } from './client/client.gen.js';
import type { ComExampleShopV1Widget } from './client/index.js';
import * as shop from './client/index.js';
import { eventsOf } from './events.js';

client.setConfig({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080', throwOnError: true });
const path = { namespace: 'default' };
const door = { namespace: 'default', name: 'door' };
const throwOnError = true;

const kind = { apiVersion: 'shop.example.com/v1', kind: 'Widget' };
const order: ComExampleShopV1Widget = { ...kind, metadata: { name: 'door' }, spec: { size: 'large' } };
const created = await shop.createShopExampleComV1NamespacedWidget({ path, body: order, throwOnError });
console.log('created', created.data.spec.size, created.data.spec.count);

const list = await shop.listShopExampleComV1NamespacedWidget({ path, throwOnError });
console.log('listed', ...list.data.items.map(({ metadata }) => metadata?.name));

const merge = { 'Content-Type': 'application/merge-patch+json' };
const patched = await shop.patchShopExampleComV1NamespacedWidget({
  path: door,
  headers: merge,
  body: { spec: { count: 2 } },
  throwOnError,
});
console.log('patched', patched.data.spec.count);

const applied = await shop.patchShopExampleComV1NamespacedWidget({
  path: door,
  query: { fieldManager: 'painter' },
  headers: { 'Content-Type': 'application/apply-patch+yaml' },
  body: { ...kind, spec: { size: 'large', colours: ['red'] } },
  throwOnError,
});
console.log('applied', ...(applied.data.spec.colours ?? []));

const made = await shop.patchShopExampleComV1NamespacedWidgetStatus({
  path: door,
  headers: merge,
  body: { status: { made: 1 } },
  throwOnError,
});
console.log('made', made.data.status?.made);

const small: ComExampleShopV1Widget = { ...made.data, spec: { size: 'small' } };
const refused = await shop.replaceShopExampleComV1NamespacedWidget({ path: door, body: small, throwOnError: false });
console.log('refused', refused.response?.status, JSON.stringify(refused.error).includes('spec.size'));

const removed = await shop.deleteShopExampleComV1NamespacedWidget({ path: door, throwOnError });
console.log('deleted', removed.response.status);

const query = { resourceVersion: created.data.metadata?.resourceVersion, watch: true, timeoutSeconds: 10 };
const { response } = await shop.listShopExampleComV1NamespacedWidget({ path, query, parseAs: 'stream' });
for await (const { type, object } of eventsOf<ComExampleShopV1Widget>(response?.body)) {
  console.log('seen', type, object.spec.count);
  if (type === 'DELETED') break;
}
