/** Checks that a server keeps as much history as its flags say. Lists and watches of older revisions get a 410. */
import { afterEach, describe, expect, it } from 'vitest';
import { type ListeningServer, startServing } from '../support/serving.js';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('the history that flags set', () => {
  let running: ListeningServer;
  afterEach(() => running.stop());

  const create = async (name: string, text: string): Promise<string> => {
    const body = JSON.stringify({ metadata: { name }, data: { text } });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${running.url}${configMaps}`, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
    const created: { metadata: { resourceVersion: string } } = await response.json();
    return created.metadata.resourceVersion;
  };
  const listAt = async (revision: string): Promise<number> => {
    const query = `resourceVersion=${revision}&resourceVersionMatch=Exact`;
    const response = await fetch(`${running.url}${configMaps}?${query}`);
    await response.body?.cancel();
    return response.status;
  };

  it('ends with its window', async () => {
    running = await startServing({ historyWindow: '1s' });
    const first = await create('first', 'one');
    await create('second', 'two');
    expect(await listAt(first)).toBe(200);
    await expect.poll(() => listAt(first), { timeout: 30_000 }).toBe(410);
    const watch = await fetch(`${running.url}${configMaps}?watch=true&resourceVersion=${first}`);
    expect(await watch.text()).toContain('"code":410');
  });

  it('ends with its size', async () => {
    running = await startServing({ historySize: '1Mi' });
    const first = await create('first', 'one');
    expect(await listAt(first)).toBe(200);
    await create('large', '');
    // History has the states before the present one.
    for (let change = 0; change < 3; change++) {
      const body = JSON.stringify({ data: { text: `${change}`.repeat(600_000) } });
      const headers = { 'content-type': 'application/merge-patch+json' };
      await fetch(`${running.url}${configMaps}/large`, { method: 'PATCH', headers, body });
    }
    expect(await listAt(first)).toBe(410);
  });
});
