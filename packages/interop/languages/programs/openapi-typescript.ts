/** Orders a widget through openapi-fetch and the types of openapi-typescript. */
import createClient from 'openapi-fetch';
import { eventsOf } from './events.js';
import type { components, paths } from './shop.js';

type Widget = components['schemas']['com.example.shop.v1.Widget'];

const client = createClient<paths>({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080' });
const all = '/apis/shop.example.com/v1/namespaces/{namespace}/widgets';
const one = '/apis/shop.example.com/v1/namespaces/{namespace}/widgets/{name}';
const inDefault = { path: { namespace: 'default' } };
const door = { path: { namespace: 'default', name: 'door' } };

const kind = { apiVersion: 'shop.example.com/v1', kind: 'Widget' };
const order: Widget = { ...kind, metadata: { name: 'door' }, spec: { size: 'large' } };
const { data: created } = await client.POST(all, { params: inDefault, body: order });
console.log('created', created?.spec.size, created?.spec.count);

const { data: list } = await client.GET(all, { params: inDefault });
console.log('listed', ...(list?.items.map(({ metadata }) => metadata?.name) ?? []));

const { data: patched } = await client.PATCH(one, {
  params: door,
  headers: { 'Content-Type': 'application/merge-patch+json' },
  body: { spec: { count: 2 } },
});
console.log('patched', patched?.spec.count);

const { data: applied } = await client.PATCH(one, {
  params: { ...door, query: { fieldManager: 'painter' } },
  headers: { 'Content-Type': 'application/apply-patch+yaml' },
  body: { ...kind, spec: { size: 'large', colours: ['red'] } },
});
console.log('applied', ...(applied?.spec.colours ?? []));

const { data: made } = await client.PATCH(`${one}/status`, {
  params: door,
  headers: { 'Content-Type': 'application/merge-patch+json' },
  body: { status: { made: 1 } },
});
console.log('made', made?.status?.made);

const small: Widget = { ...made, spec: { size: 'small' } };
const { error, response } = await client.PUT(one, { params: door, body: small });
console.log('refused', response.status, JSON.stringify(error).includes('spec.size'));

const removed = await client.DELETE(one, { params: door });
console.log('deleted', removed.response.status);

const since = { resourceVersion: created?.metadata?.resourceVersion ?? '', watch: true, timeoutSeconds: 10 };
const { data: stream } = await client.GET(all, { params: { ...inDefault, query: since }, parseAs: 'stream' });
for await (const { type, object } of eventsOf<Widget>(stream)) {
  console.log('seen', type, object.spec.count);
  if (type === 'DELETED') break;
}
