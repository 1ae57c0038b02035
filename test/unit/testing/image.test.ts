import { describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../../runtime/contract/index.js';
import { startServer } from '../../../server/index.js';
import { readAddresses } from '../../../server/text/limits.js';
import { defaultServiceRanges } from '../../../strategies/index.js';
import { atRest } from '../../../testing/at-rest.js';
import { freshRecords, imageTime } from '../../../testing/image.js';
import { imageFor } from '../../../testing/images.js';
import { startTestServer } from '../../../testing/index.js';

/** Prints all objects, without the differences between two runs. */
function objectsOf(store: Store): readonly string[] {
  const listed = store.list('');
  if (typeof listed === 'string') throw new Error(listed);
  return listed.entries.map(({ key, bytes }) =>
    `${key} ${Buffer.from(bytes)}`
      .replaceAll(/"(uid|resourceVersion)":"[^"]*"/g, '"$1":""')
      .replaceAll(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/g, 'CERTIFICATE')
      .replaceAll(/\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?/g, 'TIME'),
  );
}

describe.each(['platform', 'kubernetes'] as const)('under %s names', (naming) => {
  it('a server that begins with an image has the same objects as one without', async () => {
    const made = await startServer({ naming, controllers: [] });
    await using begun = await startTestServer({ naming });
    onTestFinished(() => made.stop());
    await atRest(made.store, 200);
    expect(objectsOf(begun.server.store)).toEqual(objectsOf(made.store));
    const before = begun.server.store.revision;
    await atRest(begun.server.store, 100);
    expect(begun.server.store.revision).toBe(before);
  });
});

it('has objects of its own time, with identities of their own', async () => {
  const image = await imageFor('platform');
  const at = new Date('2033-03-04T05:06:07.890Z');
  const [first, second] = [freshRecords(image, at), freshRecords(image, at)];
  const texts = first.map(({ text }) => text).join();
  expect(texts).toContain('2033-03-04T05:06:07Z');
  expect(texts).not.toContain(imageTime.slice(0, 10));
  const uids = [...first, ...second].flatMap(({ text }) => /"uid":"([^"]+)"/.exec(text)?.[1] ?? []);
  expect(uids.length).toBeGreaterThan(200);
  expect(new Set(uids).size).toBe(uids.length);
});

it('is ignored if the options ask for other objects', async () => {
  const addresses = readAddresses('10.9.0.0/24');
  if (!addresses.ok) throw new Error(addresses.failure.message);
  await using server = await startTestServer({
    serviceRanges: { ...defaultServiceRanges, addresses: addresses.value },
  });
  expect(objectsOf(server.server.store).join()).toContain('10.9.0.1');
});
