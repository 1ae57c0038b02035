/** A server recognizes its own changes when the driver delivers them. */
import { expect, it } from 'vitest';
import { PendingChange } from '../../../../../runtime/storage/shared/pending-change.js';
import { stampRevision } from '../../../../../runtime/storage/stamp.js';
import { encoded } from '../../../../support/store-objects.js';

const bytesOf = (content: string, revision: number) => Buffer.from(stampRevision(encoded(content), revision));

it('recognizes its new state at any revision, and no other', () => {
  const pending = new PendingChange({ key: 'g/things/a', expected: 0, next: encoded('ä'), last: encoded('last') });
  expect(pending.made(Buffer.from(encoded('ä').text))).toBe(true);
  expect(pending.made(bytesOf('ä', 123_456))).toBe(true);
  expect(pending.made(bytesOf('b', 123_456))).toBe(false);
  expect(pending.made(bytesOf('ää', 1))).toBe(false);
  expect(pending.made(Buffer.from(bytesOf('ä', 12).toString().replace('12', 'x2')))).toBe(false);
  expect(pending.made(Buffer.from('{}'))).toBe(false);
  expect(pending.objectOf(bytesOf('ä', 7))).toEqual(encoded('ä'));
  expect(pending.objectOf(bytesOf('last', 7))).toBeUndefined();
});

it('recognizes the last state of an object that it deletes', () => {
  const pending = new PendingChange({ key: 'g/things/a', expected: 5, last: encoded('last') });
  expect(pending.objectOf(bytesOf('last', 7))).toEqual(encoded('last'));
  expect(pending.made(bytesOf('last', 7))).toBe(false);
  expect(pending.objectOf(bytesOf('other', 7))).toBeUndefined();
});
