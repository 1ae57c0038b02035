/** Values of `--service-resolver`. */
import { expect, it } from 'vitest';
import { readServiceAddresses } from '../../../../bin/flags/read-service-addresses.js';

it('are read by Service', () => {
  expect(readServiceAddresses(['a/b=https://x:1', 'a/c=https://y/?z=1'])).toEqual({
    'a/b': 'https://x:1',
    'a/c': 'https://y/?z=1',
  });
});

it('need an address', () => {
  expect(() => readServiceAddresses(['a/b'])).toThrow('--service-resolver a/b has no address');
});
