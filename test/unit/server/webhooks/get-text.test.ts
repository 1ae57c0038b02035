import { afterAll, expect, it } from 'vitest';
import { textGetter } from '../../../../server/webhooks/get-text.js';
import { OutgoingCalls } from '../../../../server/webhooks/outgoing-calls.js';
import { startIdentityProvider } from '../../../support/identity-provider.js';

const provider = await startIdentityProvider();
afterAll(() => provider.close());

const get = textGetter(new OutgoingCalls(), () => provider.ca);

it('fetches a text, with the given authorization', async () => {
  provider.answers.set('/groups', (authorization) => JSON.stringify({ authorization }));
  expect(JSON.parse(await get(`${provider.url}/keys`))).toHaveProperty('keys');
  expect(JSON.parse(await get(`${provider.url}/groups`, 'Bearer a'))).toEqual({ authorization: 'Bearer a' });
});

it('rejects with the URL and the reason', async () => {
  await expect(get(`${provider.url}/nothing`)).rejects.toThrow(`${provider.url}/nothing answers with 503`);
  await expect(get('http://localhost/keys')).rejects.toThrow('http://localhost/keys is not an HTTPS URL');
  await expect(get('nonsense')).rejects.toThrow('nonsense is not an HTTPS URL');
  await expect(textGetter(new OutgoingCalls(), undefined)(`${provider.url}/keys`)).rejects.toThrow('x509');
});
