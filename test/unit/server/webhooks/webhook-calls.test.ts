/** Addresses of Services that options give. */
import { expect, it } from 'vitest';
import { webhookCalls } from '../../../../server/webhooks/webhook-calls.js';

it('are found by namespace and name', () => {
  const { serviceAddress } = webhookCalls({ 'shop/hook': 'https://127.0.0.1:9443' });
  expect(serviceAddress?.('shop', 'hook')?.origin).toBe('https://127.0.0.1:9443');
  expect(serviceAddress?.('shop', 'other')).toBeUndefined();
});

it.each([
  ['hook', 'https://127.0.0.1'],
  ['shop/hook', 'http://127.0.0.1'],
  ['shop/hook', 'nonsense'],
])('are refused as in %s=%s', (service, address) => {
  expect(() => webhookCalls({ [service]: address })).toThrow();
});
