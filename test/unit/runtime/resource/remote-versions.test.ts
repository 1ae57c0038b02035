/** Objects that a webhook converts before they are read: the number of reviews, and of reviews at the same time. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Entry, JsonObject } from '../../../../runtime/contract/index.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import type { RemoteConversion } from '../../../../runtime/resource/served-resource.js';
import { prepareToRead, readAs } from '../../../../runtime/resource/versions.js';
import { moduleOf } from '../../../support/modules.js';

const v1 = moduleOf('example.com', 'lamps', 'Lamp');
const entryOf = (name: string): Entry => ({
  key: `example.com/lamps/default/${name}`,
  revision: 5,
  bytes: Buffer.from(JSON.stringify({ kind: 'Lamp', apiVersion: 'example.com/v1', metadata: { name } })),
  attributes: { labels: {}, fields: {} },
});

/** Makes version v2 of lamps, and records the calls of its conversion. */
function lamps() {
  const asked: number[] = [];
  let under = 0;
  let most = 0;
  const remote: RemoteConversion = {
    async convert(objects, apiVersion) {
      asked.push(objects.length);
      most = Math.max(most, ++under);
      await turn();
      under--;
      return { ok: true, value: objects.map((object): JsonObject => ({ ...object, apiVersion })) };
    },
    close() {},
  };
  const stored = serveResource(v1, { remote });
  const resource = serveResource({ ...v1, version: 'v2', storage: false }, { stored });
  return { resource, asked, most: () => most };
}

describe('entries that a webhook converts', () => {
  it('are sent in reviews of some hundred, not all at the same time', async () => {
    const { resource, asked, most } = lamps();
    const entries = Array.from({ length: 6000 }, (_, i) => entryOf(`l${i}`));
    expect(await prepareToRead(resource, entries)).toBeUndefined();
    expect(asked).toEqual(Array.from({ length: 12 }, () => 500));
    expect(most()).toBe(8);
    expect(entries.map((entry) => readAs(resource, entry).apiVersion).every((one) => one === 'example.com/v2')).toBe(
      true,
    );
  });

  it('are sent once, however many requests want them', async () => {
    const { resource, asked } = lamps();
    const entries = [entryOf('a'), entryOf('b')];
    await Promise.all([prepareToRead(resource, entries), prepareToRead(resource, entries)]);
    expect(await prepareToRead(resource, entries)).toBeUndefined();
    expect(asked).toEqual([2]);
  });

  it('stay converted for requests under the definition before', async () => {
    const [before, since] = [lamps().resource, lamps().resource];
    const entry = entryOf('a');
    expect(await prepareToRead(before, [entry])).toBeUndefined();
    expect(await prepareToRead(since, [entry])).toBeUndefined();
    expect(readAs(before, entry).apiVersion).toBe('example.com/v2');
    expect(readAs(since, entry).apiVersion).toBe('example.com/v2');
  });

  it('do not exist without a webhook', () => {
    const resource = serveResource({ ...v1, version: 'v2', storage: false }, { stored: serveResource(v1) });
    expect(prepareToRead(resource, [entryOf('a')])).toBeUndefined();
  });
});
