/** Makes the widgets that are ordered: `npx tsx examples/controllers/maker.ts [server]`. */
import { follow, isConflict, isNotFound } from 'kindforge/client';
import { createClient } from '../shop/generated/client.js';
import type { Widget } from '../shop/generated/shop.example.com/v1/index.js';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const { widgets } = createClient({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080' }).shop.v1;

/** Brings one order a step further. What changes by that comes back as the next change. */
async function make({ metadata, spec, status }: Widget): Promise<void> {
  const made = status?.made ?? 0;
  if (made >= (spec.count ?? 0)) return;
  const { name = '', namespace = '', resourceVersion = '' } = metadata;
  const orders = widgets.in(namespace).subresource('status');
  await orders.patch(name, { metadata: { resourceVersion }, status: { made: made + 1 } });
  console.log(`${name}: ${made + 1} of ${spec.count}`);
}

for await (const change of follow(widgets, { signal: stop.signal })) {
  if (change.type === 'synced' || change.type === 'removed') continue;
  try {
    await make(change.object);
  } catch (error) {
    // Somebody else was quicker: what they did is told as a change of its own.
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}
