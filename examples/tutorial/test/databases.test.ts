/** The project as its users see it: a server with its definitions and its controller. */
import { testServerFixtures, type WithTestServer } from 'kindforge/testing';
import { test as base, expect } from 'vitest';
import { accounts } from '../generated/data.example.com/v1/accounts/resource.js';
import { databases } from '../generated/data.example.com/v1/databases/resource.js';
import { configMaps } from '../src/provide.js';

const test = base.extend<WithTestServer>(testServerFixtures({ controllers: ['provide'] }));
const orders = { metadata: { name: 'orders' }, spec: { engine: 'postgres' } } as const;
const shop = { metadata: { name: 'shop' }, spec: { database: 'orders' } };

test('provides ordered databases', async ({ server }) => {
  await server.resource(databases).in('default').create(orders);
  const one = { resource: databases, namespace: 'default', name: 'orders' };
  await server.until(one, ({ status }) => status?.host === 'orders.default.db.example.com');
  const settings = await server.resource(configMaps).in('default').get('orders-settings');
  expect(settings.data).toEqual({ host: 'orders.default.db.example.com', port: '5432' });
});

test('tries again after a conflict', async ({ server }) => {
  server.faults.add({ verb: 'patch', resource: 'databases/status', times: 2, fault: { status: 409 } });
  await server.resource(databases).in('default').create(orders);
  const one = { resource: databases, namespace: 'default', name: 'orders' };
  await server.until(one, ({ status }) => status?.host !== undefined);
  expect(server.faults.recording.faults).toHaveLength(2);
});

test('keeps a database that an account needs', async ({ server }) => {
  await server.resource(databases).in('default').create(orders);
  await server.resource(accounts).in('default').create(shop);
  await expect(server.resource(databases).in('default').delete('orders')).rejects.toThrow('refers to it');
});
