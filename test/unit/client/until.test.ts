import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../client/errors.js';
import type { ApiObjectLike, WatchEvent } from '../../../client/types.js';
import { deleted, ready, until } from '../../../client/until.js';
import { scriptedCollection, thing } from '../../support/scripted-collection.js';

const inNamespace = (namespace: string, revision: string): ApiObjectLike => {
  const object = thing('web', revision);
  return { ...object, metadata: { ...object.metadata, namespace, uid: `uid in ${namespace}` } };
};

const event = (type: 'MODIFIED' | 'DELETED', object: ApiObjectLike): WatchEvent<ApiObjectLike> => ({ type, object });

const messageOf = (wait: Promise<unknown>): Promise<string> =>
  wait.then(
    () => 'it was met',
    (error: unknown) => String(error),
  );

describe('of a client of all namespaces', () => {
  const both = [inNamespace('a', '1'), inNamespace('b', '2')];

  it('deleted waits until no object has the name', async () => {
    const events = [event('DELETED', inNamespace('a', '4')), event('DELETED', inNamespace('b', '5'))];
    const one = scriptedCollection(both, '3', [{ events: events.slice(0, 1), rest: 'silence' }]);
    expect(await messageOf(deleted(one.client, 'web', { timeoutMs: 50 }))).toMatch(/WaitTimeoutError: .*it exists/);
    const all = scriptedCollection(both, '3', [{ events, rest: 'silence' }]);
    await deleted(all.client, 'web');
    const first = scriptedCollection(both, '3', [{ events: events.slice(0, 1), rest: 'silence' }]);
    await deleted(first.client, 'web', { uid: 'uid in a' });
  });

  it('until resolves to the first object that meets the condition', async () => {
    const events = [event('MODIFIED', inNamespace('b', '4')), event('DELETED', inNamespace('a', '5'))];
    const { client } = scriptedCollection(both, '3', [{ events, rest: 'silence' }]);
    const met = await until(client, 'web', ({ metadata }) => metadata.resourceVersion === '4');
    expect(met.metadata.namespace).toBe('b');
  });
});

describe('a wait in vain', () => {
  const waiting = { timeoutMs: 30, retryDelayMs: 1 };

  it('reports that the server did not answer', async () => {
    const failure = new ConnectionError('no answer from http://there', 'connect ECONNREFUSED');
    const client = { ...scriptedCollection([], '1', []).client, list: () => Promise.reject(failure) };
    const error = await until(client, 'web', () => true, waiting).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringMatching(/30 ms: no answer from .*REFUSED/), cause: failure });
  });

  it('reports the current object instead', async () => {
    const empty = scriptedCollection([], '1', [{ rest: 'silence' }]);
    expect(await messageOf(until(empty.client, 'web', () => true, waiting))).toContain(': it does not exist');
    const withCondition = (status: string, observed?: number) => {
      const conditions = [{ type: 'Ready', status, reason: 'Starting', observedGeneration: observed }];
      const web = { ...thing('web', '1'), status: { conditions } };
      const object = { ...web, metadata: { ...web.metadata, generation: 2 } };
      return scriptedCollection([object], '1', [{ rest: 'silence' }]).client;
    };
    expect(await messageOf(ready(withCondition('False'), 'web', waiting))).toContain('Ready is False (Starting)');
    expect(await messageOf(ready(withCondition('True', 1), 'web', waiting))).toContain(
      'Ready is about an earlier spec',
    );
    const other = ready(withCondition('True'), 'web', { ...waiting, condition: 'Available' });
    expect(await messageOf(other)).toContain('its status has no condition Available');
  });

  it('is refused without a name', async () => {
    const { client } = scriptedCollection([], '1', [{ rest: 'silence' }]);
    await expect(deleted(client, '')).rejects.toThrow(TypeError);
  });
});
