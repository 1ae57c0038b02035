/** WebSocket text messages as bytes: their heads depend on the length, and each message is made once. */
import { describe, expect, it } from 'vitest';
import { textMessage } from '../../../../runtime/http/websocket.js';

const line = (length: number): Buffer => Buffer.alloc(length, 'x');

describe('a text message', () => {
  it.each([
    [0, [0x81, 0]],
    [125, [0x81, 125]],
    [126, [0x81, 126, 0, 126]],
    [65_535, [0x81, 126, 0xff, 0xff]],
    [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
    [1_000_000, [0x81, 127, 0, 0, 0, 0, 0, 0x0f, 0x42, 0x40]],
  ])('of %d bytes has a head with this length', (length, head) => {
    const message = Buffer.from(textMessage(line(length)));
    expect([...message.subarray(0, head.length)]).toEqual(head);
    expect(message.subarray(head.length).equals(line(length))).toBe(true);
  });

  it('is made once for a line', () => {
    const shared = line(10);
    expect(textMessage(shared)).toBe(textMessage(shared));
    expect(textMessage(line(10))).not.toBe(textMessage(shared));
  });
});
