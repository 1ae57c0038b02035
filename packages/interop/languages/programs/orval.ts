/** Orders a widget through the client that orval generates. */
import { eventsOf } from './events.js';
import * as shop from './shop.js';

const namespace = 'default';

const kind = { apiVersion: 'shop.example.com/v1', kind: 'Widget' };
const order: shop.ComExampleShopV1Widget = { ...kind, metadata: { name: 'door' }, spec: { size: 'large' } };
const created = await shop.createShopExampleComV1NamespacedWidget(namespace, order);
if (created.status !== 201) throw new Error(`not created: ${created.status}`);
console.log('created', created.data.spec.size, created.data.spec.count);

const list = await shop.listShopExampleComV1NamespacedWidget(namespace);
if (list.status !== 200) throw new Error(`not listed: ${list.status}`);
console.log('listed', ...list.data.items.map(({ metadata }) => metadata?.name));

const sentAs = (type: string): RequestInit => ({ headers: { 'Content-Type': type } });
const merge = sentAs('application/merge-patch+json');
const change = { spec: { count: 2 } };
const patched = await shop.patchShopExampleComV1NamespacedWidget(namespace, 'door', change, {}, merge);
if (patched.status !== 200) throw new Error(`not patched: ${patched.status}`);
console.log('patched', patched.data.spec.count);

const applied = await shop.patchShopExampleComV1NamespacedWidget(
  namespace,
  'door',
  { ...kind, spec: { size: 'large', colours: ['red'] } },
  { fieldManager: 'painter' },
  sentAs('application/apply-patch+yaml'),
);
if (applied.status !== 200) throw new Error(`not applied: ${applied.status}`);
console.log('applied', ...(applied.data.spec.colours ?? []));

const progress = { status: { made: 1 } };
const made = await shop.patchShopExampleComV1NamespacedWidgetStatus(namespace, 'door', progress, {}, merge);
if (made.status !== 200) throw new Error(`not made: ${made.status}`);
console.log('made', made.data.status?.made);

const small: shop.ComExampleShopV1Widget = { ...made.data, spec: { size: 'small' } };
const refused = await shop.replaceShopExampleComV1NamespacedWidget(namespace, 'door', small);
console.log('refused', refused.status, JSON.stringify(refused.data).includes('spec.size'));

const removed = await shop.deleteShopExampleComV1NamespacedWidget(namespace, 'door', {});
console.log('deleted', removed.status);

const since = { resourceVersion: created.data.metadata?.resourceVersion, watch: true, timeoutSeconds: 10 };
const { body } = await fetch(shop.getListShopExampleComV1NamespacedWidgetUrl(namespace, since));
for await (const { type, object } of eventsOf<shop.ComExampleShopV1Widget>(body)) {
  console.log('seen', type, object.spec.count);
  if (type === 'DELETED') break;
}
