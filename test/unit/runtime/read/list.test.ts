/** The verb `list`: whole and in chunks, at a revision, through selectors, and with an expired token. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { resource as configMaps } from '../../../../generated/core/v1/configmaps/resource.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { type Reply, startTestApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] });
const api = await startTestApi([widgets, configMaps]);
const everywhere = '/apis/example.com/v1/widgets';

beforeAll(async () => {
  for (const [i, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    const labels = { parity: i % 2 === 0 ? 'even' : 'odd' };
    await api.send('POST', widgetsPath, widget(name, { color: name < 'c' ? 'red' : 'blue' }, { labels }));
  }
  await api.send('POST', '/apis/example.com/v1/namespaces/other/widgets', widget('z'));
});
afterAll(async () => {
  vi.useRealTimers();
  await api.close();
});

const listed = (search = '', path = widgetsPath): Promise<Reply> =>
  api.send('GET', search ? `${path}?${search}` : path);
const metaOf = ({ body }: Reply): JsonObject => (isObject(body.metadata) ? body.metadata : {});
const namesOf = ({ body }: Reply): string[] =>
  (Array.isArray(body.items) ? body.items : []).map((item) =>
    isObject(item) && isObject(item.metadata) ? String(item.metadata.name) : '',
  );

describe('a list', () => {
  it('holds the objects of its namespace in order, at the latest revision', async () => {
    const reply = await listed();
    expect(reply).toMatchObject({ code: 200, body: { kind: 'WidgetList', apiVersion: 'example.com/v1' } });
    expect(metaOf(reply)).toEqual({ resourceVersion: String(api.store.revision), continue: '' });
    expect(namesOf(reply)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('may span all namespaces, and may be empty', async () => {
    expect(namesOf(await listed('', everywhere))).toEqual(['a', 'b', 'c', 'd', 'e', 'z']);
    expect((await listed('', '/apis/example.com/v1/namespaces/none/widgets')).body.items).toEqual([]);
  });

  it.each([
    ['labelSelector=parity%3Deven', ['a', 'c', 'e']],
    ['labelSelector=parity%20in%20(odd)', ['b', 'd']],
    ['fieldSelector=spec.color%3Dred', ['a', 'b']],
    ['fieldSelector=metadata.name%3Db', ['b']],
    ['fieldSelector=metadata.name%3Dnone', []],
    ['fieldSelector=metadata.name!%3Db&labelSelector=parity%3Dodd', ['d']],
    ['fieldSelector=metadata.name%3Db&labelSelector=parity%3Deven', []],
  ])('selects by %s', async (search, names) => {
    expect(namesOf(await listed(search))).toEqual(names);
  });

  it('names kind and version of items in custom resources only', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    await api.send('POST', path, { metadata: { name: 'a' } });
    const { body } = await listed('', path);
    expect(body.items).toEqual([{ metadata: expect.objectContaining({ name: 'a' }) }]);
    expect((await listed('limit=1')).body.items).toEqual([expect.objectContaining({ kind: 'Widget' })]);
  });
});

describe('a list in chunks', () => {
  /** Reads all chunks of a list; calls `between` after each. */
  async function chunks(search: string, between: () => Promise<unknown> = async () => {}): Promise<Reply[]> {
    const replies: Reply[] = [];
    for (let token: unknown; token !== ''; token = metaOf(replies.at(-1) ?? raise()).continue) {
      replies.push(await listed(`${search}${token === undefined ? '' : `&continue=${String(token)}`}`));
      await between();
    }
    return replies;
  }
  const raise = (): never => {
    throw new Error('no chunk');
  };

  it('has every object once, and the number that follows', async () => {
    const replies = await chunks('limit=2');
    expect(replies.map(namesOf)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(replies.map((reply) => metaOf(reply).remainingItemCount)).toEqual([3, 1, undefined]);
  });

  it('does not count for selected lists', async () => {
    const replies = await chunks('limit=1&labelSelector=parity%3Deven');
    expect(replies.flatMap(namesOf)).toEqual(['a', 'c', 'e']);
    for (const reply of replies) expect(metaOf(reply)).not.toHaveProperty('remainingItemCount');
  });

  it('shows one revision, whatever happens in between', async () => {
    let count = 0;
    const replies = await chunks('limit=2', async () => {
      await api.send('POST', widgetsPath, widget(`bb${count++}`));
      await api.send('DELETE', `${widgetsPath}/bb${count - 2}`);
    });
    expect(replies.flatMap(namesOf)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(new Set(replies.map((reply) => metaOf(reply).resourceVersion)).size).toBe(1);
    await api.send('DELETE', `${widgetsPath}/bb${count - 1}`);
  });

  it('continues for five minutes, however many chunks it has by then', async () => {
    const { continue: token } = metaOf(await listed('limit=2'));
    vi.setSystemTime(Date.now() + 5 * 60_000);
    const second = await listed(`limit=2&continue=${String(token)}`);
    expect(namesOf(second)).toEqual(['c', 'd']);
    // The token has the beginning of a list in seconds.
    vi.setSystemTime(Date.now() + 1000);
    // The list is as old as its first chunk, not as its last one.
    for (const old of [token, metaOf(second).continue]) {
      expect((await listed(`limit=2&continue=${String(old)}`)).code).toBe(410);
    }
  });

  it('continues inconsistently with the token of the refusal, once its own is too old', async () => {
    const first = await listed('limit=2');
    vi.setSystemTime(Date.now() + 6 * 60_000);
    const refused = await listed(`limit=2&continue=${String(metaOf(first).continue)}`);
    expect(refused).toMatchObject({
      code: 410,
      body: { reason: 'Expired', message: expect.stringContaining('results in an inconsistent list') },
    });
    await api.send('POST', widgetsPath, widget('ca'));
    const rest = await listed(`limit=2&continue=${String(metaOf(refused).continue)}`);
    expect(namesOf(rest)).toEqual(['c', 'ca']);
    expect(metaOf(rest)).toMatchObject({ resourceVersion: String(api.store.revision), remainingItemCount: 2 });
    // From here on it is consistent again: later changes are not shown.
    await api.send('DELETE', `${widgetsPath}/ca`);
    await api.send('POST', widgetsPath, widget('cb'));
    await api.send('POST', widgetsPath, widget('da'));
    const end = await listed(`limit=9&continue=${String(metaOf(rest).continue)}`);
    expect(namesOf(end)).toEqual(['d', 'e']);
    expect(metaOf(end)).toEqual({ resourceVersion: metaOf(rest).resourceVersion, continue: '' });
    for (const name of ['cb', 'da']) await api.send('DELETE', `${widgetsPath}/${name}`);
  });

  it('is refused with a token that was changed anywhere', async () => {
    const token = String(metaOf(await listed('limit=2')).continue);
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      // The last character has bits that mean nothing.
      if (Buffer.from(changed, 'base64url').equals(Buffer.from(token, 'base64url'))) continue;
      expect(await listed(`limit=2&continue=${changed}`)).toMatchObject({ code: 400, body: { reason: 'BadRequest' } });
    }
  });

  it('comes whole if the gate for chunks is off', async () => {
    const whole = await startTestApi([widgets], { featureEnabled: (gate) => gate !== 'APIListChunking' });
    for (const name of ['a', 'b', 'c']) await whole.send('POST', widgetsPath, widget(name));
    const reply = await whole.send('GET', `${widgetsPath}?limit=1&continue=nonsense`);
    expect(namesOf(reply)).toEqual(['a', 'b', 'c']);
    expect(metaOf(reply)).toEqual({ resourceVersion: String(whole.store.revision), continue: '' });
    await whole.close();
  });

  it.each(['continue=x', 'continue=x&limit=2', 'continue=%00', 'continue=x&resourceVersion=1'])(
    'is refused with a forged token: %s',
    async (search) => {
      const message = expect.stringMatching(/^invalid continue token: continue key is not valid: /);
      expect(await listed(search)).toMatchObject({ code: 400, body: { reason: 'BadRequest', message } });
    },
  );

  it('takes a token without a revision beside it', async () => {
    const { continue: token } = metaOf(await listed('limit=2'));
    expect((await listed(`continue=${String(token)}&resourceVersion=1`)).code).toBe(400);
    expect((await listed(`continue=${String(token)}&resourceVersion=0`)).code).toBe(200);
  });
});

describe('a list at a revision', () => {
  it('shows that state exactly, or one that is no older', async () => {
    const before = String(api.store.revision);
    await api.send('POST', widgetsPath, widget('late'));
    const exact = await listed(`resourceVersion=${before}&resourceVersionMatch=Exact`);
    expect(namesOf(exact)).not.toContain('late');
    expect(metaOf(exact).resourceVersion).toBe(before);
    const newer = await listed(`resourceVersion=${before}&resourceVersionMatch=NotOlderThan`);
    expect(namesOf(newer)).toContain('late');
    expect(namesOf(await listed(`resourceVersion=${before}`))).toContain('late');
    await api.send('DELETE', `${widgetsPath}/late`);
  });

  it('waits for a future one, and gives up', async () => {
    const future = api.store.revision + 1;
    const waiting = listed(`resourceVersion=${future}`);
    await api.send('POST', widgetsPath, widget('awaited'));
    expect(namesOf(await waiting)).toContain('awaited');
    const hopeless = listed('resourceVersion=999999');
    await vi.advanceTimersByTimeAsync(3000);
    expect(await hopeless).toMatchObject({ code: 504, body: { reason: 'Timeout' } });
    await api.send('DELETE', `${widgetsPath}/awaited`);
  });

  it('is refused if that state is no longer known', async () => {
    const before = String(api.store.revision);
    const { continue: token } = metaOf(await listed('limit=2'));
    await api.send('POST', widgetsPath, widget('newest'));
    api.store.forgetHistory();
    expect(await listed(`resourceVersion=${before}&resourceVersionMatch=Exact`)).toMatchObject({
      code: 410,
      body: { reason: 'Expired' },
    });
    const refused = await listed(`continue=${String(token)}`);
    expect(refused.code).toBe(410);
    expect(metaOf(refused).continue).toEqual(expect.any(String));
  });
});

it('no list is a defect', () => {
  expect(api.defects).toEqual([]);
});

describe('a list of objects that cannot be read', () => {
  const damage = (namespace: string, name: string) => ({
    key: `example.com/widgets/${namespace}/${name}`,
    revision: 7,
    problem: 'it is no object',
    cure: '',
  });
  const withDamage = async (gate: string, found: readonly ReturnType<typeof damage>[]) => {
    const own = await startTestApi([widgets], { featureEnabled: (name) => [gate, 'APIListChunking'].includes(name) });
    for (const name of ['a', 'c', 'e']) await own.send('POST', widgetsPath, widget(name));
    vi.spyOn(own.store, 'unreadable').mockImplementation((prefix) => found.filter(({ key }) => key.startsWith(prefix)));
    onTestFinished(() => own.close());
    return (search: string, path = widgetsPath) => own.send('GET', `${path}?${search}`);
  };
  const gate = 'AllowUnsafeMalformedObjectDeletion';
  const causesOf = ({ body }: Reply) => (isObject(body.details) ? body.details.causes : undefined);

  it('leaves them out without the gate', async () => {
    const list = await withDamage('', [damage('default', 'b')]);
    expect(namesOf(await list(''))).toEqual(['a', 'c', 'e']);
  });

  it('fails with the gate if it reads them, and names them in order', async () => {
    const list = await withDamage(gate, [damage('other', 'x'), damage('default', 'd'), damage('default', 'b')]);
    const [b, d, x] = ['default/b', 'default/d', 'other/x'].map((place) => {
      const field = `/registry/example.com/widgets/${place}`;
      const message = `StorageError: corrupt object, Code: 7, Key: ${field}, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=7: it is no object`;
      return { reason: 'UnexpectedServerResponse', message, field };
    });
    expect(await list('')).toMatchObject({
      code: 500,
      body: {
        message: 'failed to read one or more widgets.example.com from the storage',
        reason: 'StorageReadError',
        details: { name: 'list', group: 'example.com', kind: 'widgets', causes: [b, d] },
      },
    });
    expect(causesOf(await list('', everywhere))).toEqual([b, d, x]);
    expect(causesOf(await list('limit=2'))).toEqual([b]);
    expect(causesOf(await list('fieldSelector=metadata.name%3Dd'))).toEqual([d]);
    const first = await list('limit=1');
    expect(namesOf(first)).toEqual(['a']);
    expect(causesOf(await list(`limit=1&continue=${metaOf(first).continue}`))).toEqual([b]);
    expect(namesOf(await list('fieldSelector=metadata.name%3Da'))).toEqual(['a']);
  });

  it('names a hundred of them, and reports that there are more', async () => {
    const list = await withDamage(
      gate,
      Array.from({ length: 102 }, (_, i) => damage('default', `s${i}`)),
    );
    const causes = causesOf(await list(''));
    expect(causes).toHaveLength(101);
    expect(causes).toContainEqual({
      reason: 'FieldValueTooMany',
      message: 'too many errors, the list is truncated',
    });
  });
});
