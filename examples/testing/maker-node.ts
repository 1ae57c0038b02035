/** Tests of the controller that makes widgets, with Node's own test runner. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObjectLike } from 'kindforge/client';
import { useTestServer } from 'kindforge/testing';
import maker from '../controllers/maker.js';

interface Widget extends ApiObjectLike {
  status?: { made?: number };
}

const server = useTestServer({ definitions: 'examples/shop/schemas', controllers: [maker] });

const order = (name: string, count: number) => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  spec: { size: 'small', count },
});

test('makes the ordered number of widgets', async () => {
  await server().create(order('door', 3));
  const selector = { resource: 'widgets', namespace: 'default', name: 'door' };
  const made = await server().until<Widget>(selector, ({ status }) => status?.made === 3);
  assert.equal(made.metadata.name, 'door');
});

test('begins without objects', async () => {
  assert.deepEqual(await server().until({ resource: 'widgets' }, (all) => all.length === 0), []);
});
