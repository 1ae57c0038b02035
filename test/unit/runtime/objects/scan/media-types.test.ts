import { expect, it } from 'vitest';
import { listMembers } from '../../../../../runtime/objects/scan/media-types.js';

it('reads the members of a list without the blanks around them', () => {
  expect(listMembers('gzip,\tbr ,  identity')).toEqual(['gzip', 'br', 'identity']);
  expect(listMembers('a,,b')).toEqual(['a', '', 'b']);
  expect(listMembers('')).toEqual(['']);
});
