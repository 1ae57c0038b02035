import { type DynamicApi, type DynamicObject, dynamicClient, type Transport } from 'kindforge/client';
import { expect, it, onTestFinished } from 'vitest';
import { inProcessTransport } from '../../../../../client/in-process.js';
import { LiveObject } from '../../../../../packages/console/src/pages/object/live-object.svelte.js';
import { answering } from '../../../../support/answering-transport.js';
import { suiteApi } from '../../../../support/test-api.js';
import { widgets } from '../../../../support/widgets.js';

const { server } = await suiteApi([widgets]);
const forgotten = answering(() => 410);

/** Makes a client of a server that forgets revisions until `state` changes, and records the asked revisions. */
function forgetful(state: { isForgetful: boolean }): {
  readonly client: DynamicApi;
  readonly asked: readonly string[];
} {
  const direct = inProcessTransport(server.handle, {});
  const asked: string[] = [];
  const transport: Transport = {
    async send(request) {
      const query = new URL(request.path, 'http://server').searchParams;
      if (query.get('resourceVersionMatch') !== 'Exact') return direct.send(request);
      asked.push(query.get('resourceVersion') ?? '');
      return (state.isForgetful ? forgotten : direct).send(request);
    },
  };
  return { client: dynamicClient({ transport }), asked };
}

const before = ({ metadata }: DynamicObject): string => String(Number(metadata.resourceVersion) - 1);

it('asks once for each revision, until the server has an earlier one', async () => {
  const state = { isForgetful: true };
  const { client, asked } = forgetful(state);
  const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', namespace: 'default' } };
  // The first revision of a server has none before it.
  await client.create({ ...object, metadata: { ...object.metadata, name: 'first' }, spec: {} });
  const expected = [before(await client.create({ ...object, spec: {} }))];
  const resource = await client.resource({ group: 'example.com', version: 'v1', plural: 'widgets' });
  const live = new LiveObject(resource, 'default', 'a');
  onTestFinished(live.start());
  await expect.poll(() => live.hasHistory).toBe(false);
  const change = async (color: string): Promise<string> => {
    const changed = await client.patch(object, { spec: { color } });
    await expect.poll(() => live.object?.spec).toMatchObject({ color });
    return before(changed);
  };
  for (const color of ['red', 'green']) {
    expected.push(await change(color));
    await expect.poll(() => asked).toEqual(expected);
  }
  state.isForgetful = false;
  expected.push(await change('blue'));
  await expect.poll(() => live.hasHistory).toBe(true);
  await change('white');
  expect(asked).toEqual(expected);
});
