/** Caches all widgets: finds them without requests, and prints their number after each change. */
import { observe, openCache } from 'kindforge/client';
import { createClient } from './generated/client.js';

const api = createClient({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080' });
const widgets = api.shop.v1.widgets.in('default');

const cache = openCache(api.shop.v1.widgets, { indexes: { bySize: ({ spec }) => [spec.size] } });
await cache.synced;

const count = observe(cache, ({ size }) => size);
const stop = count.subscribe((size) => console.log(`${size} on the shelf`));

await widgets.create({ metadata: { name: 'shelf-door' }, spec: { size: 'large' } });
await widgets.create({ metadata: { name: 'shelf-bell' }, spec: { size: 'small' } });
console.log(cache.byIndex('bySize', 'small').map(({ metadata }) => metadata.name));

await widgets.delete('shelf-door');
await widgets.delete('shelf-bell');
console.log(cache.list({ namespace: 'default' }));

stop();
await cache.close();
