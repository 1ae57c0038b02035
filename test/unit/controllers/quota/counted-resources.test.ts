import { setMaxListeners } from 'node:events';
import { expect, it } from 'vitest';
import { Informers, systemClock } from '../../../../client/index.js';
import { CountedResources } from '../../../../controllers/quota/counted-resources.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { defineEvaluators } from '../../../../runtime/objects/quota/evaluators.js';
import { servingForTests } from '../../../support/serving.js';

const running = servingForTests({ naming: 'kubernetes', controllers: 'none' });

/** Makes counted resources, the list of plurals that they watch, and the list of quotas that they report. */
function watching() {
  const client = running().client();
  const informers = new Informers({ client, onError: () => {} });
  const open: string[] = [];
  const told: string[] = [];
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const counted = new CountedResources({
    client,
    clock: systemClock,
    evaluators: defineEvaluators(kubernetesNaming),
    signal: ending.signal,
    onChange: (key) => told.push(key),
    informers: {
      open(resource, choice) {
        const { informer, close } = informers.open(resource, choice);
        const name = `${resource.plural}${choice?.metadataOnly ? '' : ' whole'}`;
        open.push(name);
        return {
          informer,
          close: () => {
            close();
            open.splice(open.indexOf(name), 1);
          },
        };
      },
    },
  });
  const stop = async (): Promise<void> => {
    ending.abort();
    counted.close();
    await informers.close();
  };
  return { counted, open, told, stop };
}

const pluralsOf = async (using: ReturnType<CountedResources['use']>): Promise<string[]> =>
  (await using).map(({ resource }) => resource.plural);

it('are the ones with limits, without the rest of objects if only their number counts', async () => {
  const { counted, open, stop } = watching();
  expect(await pluralsOf(counted.use('a/q', ['secrets', 'requests.cpu', 'count/deployments.apps']))).toEqual([
    'pods',
    'secrets',
    'deployments',
  ]);
  expect(open.sort()).toEqual(['deployments', 'pods whole', 'secrets']);
  await stop();
});

it('are watched until the last quota is gone, or no longer counts them', async () => {
  const { counted, open, stop } = watching();
  await counted.use('a/q', ['secrets', 'configmaps']);
  await counted.use('b/q', ['secrets']);
  expect(open.sort()).toEqual(['configmaps', 'secrets']);
  await counted.use('a/q', ['secrets']);
  expect(open).toEqual(['secrets']);
  counted.forget('a/q');
  expect(open).toEqual(['secrets']);
  counted.forget('b/q');
  expect(open).toEqual([]);
  await stop();
});

it('are read again, because the server may have others', async () => {
  const { counted, open, stop } = watching();
  expect(await counted.refresh()).toBe(true);
  expect(await counted.refresh()).toBe(false);
  const names = ['count/nuts.example.com'];
  expect(await pluralsOf(counted.use('a/q', names))).toEqual([]);
  const definitions = `${running().url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`;
  const schema = { openAPIV3Schema: { type: 'object' } };
  const definition = {
    metadata: { name: 'nuts.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'nuts', kind: 'Nut' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  const headers = { 'content-type': 'application/json' };
  await fetch(definitions, { method: 'POST', body: JSON.stringify(definition), headers });
  await expect.poll(() => counted.refresh(), { timeout: 30_000 }).toBe(true);
  expect(await pluralsOf(counted.use('a/q', names))).toEqual(['nuts']);
  expect(open).toEqual(['nuts']);
  await fetch(`${definitions}/nuts.example.com`, { method: 'DELETE' });
  await expect.poll(() => counted.refresh(), { timeout: 30_000 }).toBe(true);
  expect(await pluralsOf(counted.use('a/q', names))).toEqual([]);
  expect(open).toEqual([]);
  await stop();
});

it('report the quotas of the namespace for removed objects, and not for added ones', async () => {
  const { counted, told, stop } = watching();
  const url = `${running().url}/api/v1/namespaces/default/configmaps`;
  await counted.use('default/q', ['configmaps']);
  await counted.use('other/q', ['configmaps']);
  const body = JSON.stringify({ metadata: { name: 'short' } });
  await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  expect(told).toEqual([]);
  await fetch(`${url}/short`, { method: 'DELETE' });
  await expect.poll(() => told).toEqual(['default/q']);
  await stop();
});
