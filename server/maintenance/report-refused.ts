/**
 * Reports stored objects that their stored version refuses, and fields of them that it does not know. A start does this
 * in the background.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiServer, findRefused, type RefusedObjects } from '../../runtime/server/index.js';
import type { ServerParts } from '../server-parts.js';

/** The delay of the search, so that it does not slow the start, and its time limit. */
const DELAY_MS = 1_000;
const LIMIT_MS = 60_000;

/**
 * Starts to check the objects of definitions, including CustomResourceDefinitions. Returns a function that stops it.
 */
export function reportRefused(
  { definitions, naming, storage, onProblem }: ServerParts,
  { registry }: Pick<ApiServer, 'registry'>,
): () => void {
  const ended = new AbortController();
  const own = new Set(definitions.map(({ group, names }) => `${naming.rename(group)}/${names.plural}`));
  const search = async (): Promise<void> => {
    await sleep(DELAY_MS, undefined, { ref: false, signal: ended.signal });
    const found = findRefused({
      registry,
      store: storage.store,
      isSearched: ({ module, defined }) => defined !== undefined || own.has(`${module.group}/${module.names.plural}`),
      signal: ended.signal,
      limitMs: LIMIT_MS,
    });
    let next = await found.next();
    for (; !next.done; next = await found.next()) for (const text of textsOf(next.value)) onProblem(text);
    if (!next.value && !ended.signal.aborted)
      onProblem(`not all stored objects were checked against their definitions within ${LIMIT_MS / 1_000} s`);
  };
  search().catch((error: unknown) => {
    if (!ended.signal.aborted) onProblem('stored objects could not be checked against their definitions', error);
  });
  return () => ended.abort();
}

/** Returns the lines for a kind: one about refused objects, and one about unknown fields. */
export function textsOf({ resource, version, count, examples, unknown }: RefusedObjects): readonly string[] {
  const texts: string[] = [];
  if (count > 0)
    texts.push(
      `${objectsOf(resource, count)} cannot be written in ${version}, the stored version, which refuses what is stored: ` +
        `${listed(examples, count > examples.length)}; correct the fields, through another version if ${version} does not allow it`,
    );
  if (unknown)
    texts.push(
      `${objectsOf(resource, unknown.count)} ${unknown.count === 1 ? 'has' : 'have'} fields that the definition does not have, ` +
        `perhaps from another release: ${listed(unknown.fields, unknown.more)}; the next write of an object drops them; ` +
        'to keep them, start a release that has them',
    );
  return texts;
}

const objectsOf = (resource: string, count: number): string =>
  `${count === 1 ? '1 stored object' : `${count.toLocaleString('en')} stored objects`} of ${resource}`;

const listed = (items: readonly string[], more: boolean): string => `${items.join('; ')}${more ? '; …' : ''}`;
