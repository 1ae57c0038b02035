/** Tests the controller that publishes sites. The server runs it by its name, and `dns` is the DNS that it writes. */
import { conditionOf, deleted, ready } from 'kindforge/client';
import { testServerFixtures, type WithTestServer } from 'kindforge/testing';
import { test as base, expect } from 'vitest';
import { createClient } from './generated/client.js';
import { dns } from './site.js';

const test = base.extend<WithTestServer>(
  testServerFixtures({ project: 'examples/controllers', controllers: ['sites', 'garbagecollector'] }),
);

const shop = {
  metadata: { name: 'shop' },
  spec: {
    host: 'shop.example.com',
    pages: [
      { name: 'home', text: 'Welcome' },
      { name: 'terms', text: 'None' },
    ],
  },
};
const maps = { resource: 'configmaps', namespace: 'default' };

test('publishes pages, and restores them after changes', async ({ server }) => {
  const sites = createClient(server.client).pages.v1.sites.in('default');
  await sites.create(shop);
  const site = await ready(sites, 'shop', { timeoutMs: 5000 });
  expect(dns.get('shop.example.com')).toBe('default/shop');
  expect(site.metadata.finalizers).toEqual(['pages.example.com/dns']);
  expect(site.status).toEqual({
    pages: 2,
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'Published',
        message: '2 pages at shop.example.com',
        lastTransitionTime: expect.any(String),
        observedGeneration: 1,
      },
    ],
  });
  await server.until({ resource: 'events', namespace: 'default' }, (all) => all.length === 1);
  await server.until(maps, (all) => all.length === 2);

  await server.clock.advance(60_000);
  await sites.patch('shop', { spec: { pages: [{ name: 'home', text: 'Closed today' }] } });
  const changed = await ready(sites, 'shop', { timeoutMs: 5000 });
  await server.until(maps, (all) => all.length === 1);
  const [{ lastTransitionTime } = {}] = site.status?.conditions ?? [];
  expect(conditionOf(changed, 'Ready')).toMatchObject({ observedGeneration: 2, lastTransitionTime });
});

test('closes a site when its time is over', async ({ server }) => {
  const sites = createClient(server.client).pages.v1.sites.in('default');
  const inAnHour = new Date(server.clock.now().getTime() + 3_600_000);
  await sites.create({ ...shop, spec: { ...shop.spec, until: inAnHour.toISOString() } });
  await ready(sites, 'shop', { timeoutMs: 5000 });
  await server.clock.advance(3_600_000);
  const site = { resource: 'sites', namespace: 'default', name: 'shop' };
  await server.until(site, (one) => conditionOf(one, 'Ready')?.reason === 'Closed');
  await server.until(maps, (all) => all.length === 0);
  expect(dns.size).toBe(0);
});

test('removes the name from the DNS before a site is deleted, although others are faster', async ({ server }) => {
  const sites = createClient(server.client).pages.v1.sites.in('default');
  await sites.create(shop);
  await ready(sites, 'shop', { timeoutMs: 5000 });
  server.faults.add({ verb: 'patch', resource: 'sites', times: 2, fault: { status: 409 } });
  await sites.delete('shop');
  await deleted(sites, 'shop', { timeoutMs: 5000 });
  expect(dns.size).toBe(0);
});
