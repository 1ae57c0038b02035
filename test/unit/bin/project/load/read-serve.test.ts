import { expect, it } from 'vitest';
import { placedStore } from '../../../../../bin/project/load/read-serve.js';

it.each([
  ['fs:data', 'fs:/project/data'],
  ['lmdb:data', 'lmdb:/project/data'],
  ['fs:/elsewhere', 'fs:/elsewhere'],
  ['unstorage:fs?base=data', 'unstorage:fs?base=data'],
  ['memory', 'memory'],
])('places %s of a project at %s', (text, placed) => {
  expect(placedStore(text, '/project')).toBe(placed);
});
