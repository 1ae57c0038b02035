/** Orders a widget, watches it, and reports progress in the role of its maker. */
import { isConflict } from 'kindforge/client';
import { createClient } from './generated/client.js';

const api = createClient({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080' });
const widgets = api.shop.v1.widgets.in('default');

const ordered = await widgets.create({ metadata: { name: 'door' }, spec: { size: 'large', colours: ['red'] } });
console.log(`ordered ${ordered.spec.count} ${ordered.spec.size} widget`);

const seen = (async () => {
  const { resourceVersion } = ordered.metadata;
  for await (const event of widgets.watch(resourceVersion === undefined ? {} : { resourceVersion })) {
    if (event.type === 'MODIFIED') return event.object.status?.made;
  }
})();

await widgets.subresource('status').patch('door', { status: { made: 1 } });
console.log(`made ${await seen}`);

try {
  await widgets.update({ ...ordered, spec: { ...ordered.spec, count: 2 } });
} catch (error) {
  if (!isConflict(error)) throw error;
  console.log('somebody else changed it first');
}

for await (const widget of api.shop.v1.widgets.each()) console.log(`stored: ${widget.metadata.name}`);
await widgets.delete('door');
