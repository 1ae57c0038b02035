/** The kinds that the garbage collector knows, while a server behind this one does not answer. */
import { expect, it } from 'vitest';
import { systemClock } from '../../../../client/index.js';
import { OwnerGraph } from '../../../../controllers/garbage-collector/graph.js';
import { Kinds } from '../../../../controllers/garbage-collector/kinds.js';
import { answering, groupListOf, resourceListOf } from '../../../support/answering-transport.js';

it('keeps the kinds of a server that does not answer, and forgets kinds that are gone', async () => {
  let behind: object | number = resourceListOf('behind/v1', 'gadgets');
  const documents = (path: string): object | number | undefined =>
    path === '/apis/behind/v1'
      ? behind
      : { '/apis': groupListOf('here', 'behind'), '/apis/here/v1': resourceListOf('here/v1', 'things') }[path];
  const client = { transport: answering(documents), retry: { retries: 0 } };
  const { signal } = new AbortController();
  const ignore = (): void => {};
  const graph = new OwnerGraph({
    onDeletable: ignore,
    onOrphaning: ignore,
    onAbsent: ignore,
    onForeignOwner: ignore,
  });
  const kinds = new Kinds({ client, graph, onDefinition: ignore, onError: ignore, clock: systemClock });
  const known = async (): Promise<readonly boolean[]> => {
    await kinds.refresh(client, signal);
    return [kinds.find('here/v1', 'things') !== undefined, kinds.find('behind/v1', 'gadgets') !== undefined];
  };
  expect(await known()).toEqual([true, true]);
  behind = 503;
  expect(await known()).toEqual([true, true]);
  behind = 404;
  expect(await known()).toEqual([true, false]);
  behind = 500;
  await expect(kinds.refresh(client, signal)).rejects.toMatchObject({ code: 500 });
});
