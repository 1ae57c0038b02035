/** Names of field managers. */
import { expect, it } from 'vitest';
import { fieldErrorText } from '../../../../../runtime/objects/field-error.js';
import { validateFieldManager } from '../../../../../runtime/objects/names/metadata-rules.js';

const errorsOf = (manager: string): string[] => validateFieldManager(manager, 'm').map(fieldErrorText);

it('may have all printable characters', () => {
  for (const manager of ['', 'kubectl-client-side-apply', 'a b', 'é💡', 'm'.repeat(128)])
    expect(errorsOf(manager)).toEqual([]);
});

it('are refused for each character that cannot be printed, and for their length in bytes', () => {
  expect(errorsOf('\u0007é\u0001')).toEqual([
    String.raw`m: Invalid value: "\aé\x01": invalid character U+0007 (at position 0)`,
    String.raw`m: Invalid value: "\aé\x01": invalid character U+0001 (at position 3)`,
  ]);
  expect(errorsOf('é'.repeat(65))).toEqual(['m: Too long: must have at most 128 bytes']);
});
