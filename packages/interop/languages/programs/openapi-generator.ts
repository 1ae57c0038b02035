/** Orders a widget through the client that openapi-generator generates for axios. */
import {
  type ComExampleShopV1Widget,
  Configuration,
  ShopExampleComV1Api,
  ComExampleShopV1WidgetSpecSizeEnum as Size,
} from './client/index.js';
import { eventsOf } from './events.js';

const basePath = process.argv[2] ?? 'http://127.0.0.1:8080';
const shop = new ShopExampleComV1Api(new Configuration({ basePath }));
const namespace = 'default';
const door = { namespace, name: 'door' };
const sentAs = (type: string) => ({ headers: { 'Content-Type': type } });
const merge = sentAs('application/merge-patch+json');

const kind = { apiVersion: 'shop.example.com/v1', kind: 'Widget' };
const order: ComExampleShopV1Widget = { ...kind, metadata: { name: 'door' }, spec: { size: Size.Large } };
const created = await shop.createShopExampleComV1NamespacedWidget({ namespace, comExampleShopV1Widget: order });
console.log('created', created.data.spec.size, created.data.spec.count);

const list = await shop.listShopExampleComV1NamespacedWidget({ namespace });
console.log('listed', ...list.data.items.map(({ metadata }) => metadata?.name));

const change = { spec: { count: 2 } };
const patched = await shop.patchShopExampleComV1NamespacedWidget({ ...door, body: change }, merge);
console.log('patched', patched.data.spec.count);

const red = { ...kind, spec: { size: Size.Large, colours: ['red'] } };
const applied = await shop.patchShopExampleComV1NamespacedWidget(
  { ...door, body: red, fieldManager: 'painter' },
  sentAs('application/apply-patch+yaml'),
);
console.log('applied', ...(applied.data.spec.colours ?? []));

const progress = { status: { made: 1 } };
const made = await shop.patchShopExampleComV1NamespacedWidgetStatus({ ...door, body: progress }, merge);
console.log('made', made.data.status?.made);

const small: ComExampleShopV1Widget = { ...made.data, spec: { size: Size.Small } };
const refused = await shop.replaceShopExampleComV1NamespacedWidget(
  { ...door, comExampleShopV1Widget: small },
  { validateStatus: null },
);
console.log('refused', refused.status, JSON.stringify(refused.data).includes('spec.size'));

const removed = await shop.deleteShopExampleComV1NamespacedWidget(door);
console.log('deleted', removed.status);

const since = { resourceVersion: created.data.metadata?.resourceVersion, watch: true, timeoutSeconds: 10 };
const watch = await shop.listShopExampleComV1NamespacedWidget({ namespace, ...since }, { responseType: 'stream' });
const stream: unknown = watch.data;
for await (const { type, object } of eventsOf<ComExampleShopV1Widget>(stream as AsyncIterable<Uint8Array>)) {
  console.log('seen', type, object.spec.count);
  if (type === 'DELETED') break;
}
