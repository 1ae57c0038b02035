/** A server accepts the examples of kinds, one after the other. */
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import type { ApiObjectLike } from '../../../client/index.js';
import { startTestServer } from '../../../testing/index.js';
import { readExamples } from '../build/examples.js';

const isObject = (value: unknown): value is Omit<ApiObjectLike, 'metadata'> =>
  typeof value === 'object' && value !== null && 'kind' in value;

it('a server accepts the examples of kinds', async () => {
  const server = await startTestServer({ project: false, naming: 'platform' });
  try {
    const refused: string[] = [];
    for (const { kind, text } of readExamples()) {
      const object = load(text);
      if (isObject(object))
        await server.create({ metadata: {}, ...object }).catch((error: unknown) => refused.push(`${kind}: ${error}`));
      else refused.push(`${kind}: not an object`);
    }
    expect(refused).toEqual([]);
  } finally {
    await server[Symbol.asyncDispose]();
  }
});

it('no kind has two examples', () => {
  const names = readExamples().map(({ group, kind }) => `${group}/${kind}`);
  expect(new Set(names).size).toBe(names.length);
});
