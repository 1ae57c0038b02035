/** Tests of the controller that makes widgets, with vitest. */
import { type ApiObjectLike, isConflict } from 'kindforge/client';
import { testServerFixtures, type WithTestServer } from 'kindforge/testing';
import { test as base, expect } from 'vitest';
import maker from '../controllers/maker.js';

interface Widget extends ApiObjectLike {
  status?: { made?: number };
}

const test = base.extend<WithTestServer>(
  testServerFixtures({ definitions: 'examples/shop/schemas', controllers: [maker] }),
);

const order = (name: string, count: number) => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  spec: { size: 'large', count },
});

const widget = (name: string) => ({ resource: 'widgets', namespace: 'default', name });

test('makes the ordered number of widgets', async ({ server }) => {
  await server.create(order('door', 3));
  const made = await server.until<Widget>(widget('door'), ({ status }) => status?.made === 3);
  expect(made.metadata.name).toBe('door');
});

test('goes on if another client was faster', async ({ server }) => {
  server.faults.add({ verb: 'patch', resource: 'widgets/status', times: 2, fault: { status: 409 } });
  await server.create(order('door', 2));
  await server.until<Widget>(widget('door'), ({ status }) => status?.made === 2);
  expect(server.faults.recording.faults).toHaveLength(2);
});

test('sees orders although its watch breaks', async ({ server }) => {
  server.faults.add({ verb: 'watch', resource: 'widgets', fault: { watch: 'drop' }, times: 3 });
  await server.create(order('first', 1), order('second', 1));
  await server.until<Widget>(
    { resource: 'widgets' },
    (all) => all.filter(({ status }) => status?.made === 1).length === 2,
  );
});

test('refuses orders of users without the right', async ({ server }) => {
  const jane = server.asUser('jane', ['dev']);
  const widgets = {
    group: 'shop.example.com',
    version: 'v1',
    plural: 'widgets',
    kind: 'Widget',
    scope: 'Namespaced',
  } as const;
  const orders = jane.resource({ ...widgets, subresources: [] }).in('default');
  const error = await orders.create(order('door', 1)).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('User "jane" cannot create resource "widgets"');
  expect(isConflict(error)).toBe(false);
});
