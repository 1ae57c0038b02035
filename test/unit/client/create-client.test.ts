import { expect, it } from 'vitest';
import { createResourceClient, guardWrites, type Transport } from '../../../client/index.js';
import { configMaps } from '../../../generated/core/v1/index.js';

it('always sends reads, and sends writes while the check allows them', async () => {
  const sent: string[] = [];
  const transport: Transport = {
    send: async ({ method }) => {
      sent.push(method);
      return { status: 200, header: () => '', text: async () => '{"metadata":{}}', chunks: async function* () {} };
    },
  };
  let mayWrite = true;
  const client = guardWrites({ transport }, () => {
    if (!mayWrite) throw new Error('not now');
  });
  const maps = createResourceClient(configMaps, client).in('default');
  await maps.create({ metadata: { name: 'a' } });
  mayWrite = false;
  await maps.get('a');
  for (const write of [
    () => maps.create({ metadata: { name: 'a' } }),
    () => maps.delete('a'),
    () => maps.patch('a', {}),
  ])
    await expect(write()).rejects.toThrow('not now');
  expect(sent).toEqual(['POST', 'GET']);
});
