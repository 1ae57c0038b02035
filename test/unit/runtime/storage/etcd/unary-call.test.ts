/** Frames of gRPC: one whole message that is not compressed, or nothing. */
import { expect, it } from 'vitest';
import { framed, unframed } from '../../../../../runtime/storage/etcd/unary-call.js';

it('are read back as the original message, in any pieces', () => {
  for (const length of [0, 1, 300]) {
    const message = Buffer.alloc(length, 'ä');
    const frame = framed(message);
    for (let at = 0; at <= frame.length; at += 7) {
      expect(unframed([frame.subarray(0, at), frame.subarray(at)])).toEqual(message);
    }
  }
});

it('are refused if they are cut, too long, or compressed', () => {
  const frame = framed(Buffer.from('abc'));
  const compressed = Buffer.from(frame);
  compressed[0] = 1;
  expect(unframed([])).toBeUndefined();
  expect(unframed([frame.subarray(0, 4)])).toBeUndefined();
  expect(unframed([frame.subarray(0, 7)])).toBeUndefined();
  expect(unframed([frame, frame])).toBeUndefined();
  expect(unframed([compressed])).toBeUndefined();
});
