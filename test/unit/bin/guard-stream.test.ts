import { expect, it } from 'vitest';
import { guardStream } from '../../../bin/guard-stream.js';

it('escapes texts, and passes bytes and the other arguments on', () => {
  const written: unknown[][] = [];
  const stream = { write: (...args: unknown[]) => written.push(args) > 0 };
  guardStream(stream);
  stream.write('a\u001b[2Kb\n', 'utf8');
  stream.write(new Uint8Array([27]));
  expect(written).toEqual([['a^[[2Kb\n', 'utf8'], [new Uint8Array([27])]]);
});
