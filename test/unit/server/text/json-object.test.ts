/** Texts that may be anything are objects only where they are JSON objects. */
import { expect, it } from 'vitest';
import { jsonObjectIn } from '../../../../server/text/json-object.js';

it('a JSON object is read', () => expect(jsonObjectIn('{ "a": [1] }')).toEqual({ a: [1] }));

it.each(['', '{', '[]', 'null', '"a"', '1', '<html>'])('%j is none', (text) =>
  expect(jsonObjectIn(text)).toBe(undefined),
);
