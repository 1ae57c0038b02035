/** The order in which discovery lists groups. */
import { expect, it } from 'vitest';
import { compareGroups } from '../../../../runtime/discovery/group-order.js';

it('has built-in groups by rank, under whatever names, and all others after them', () => {
  const groups = [
    'zoo.example.com',
    'storage.platform.io',
    'apps',
    'batch',
    'flowcontrol.apiserver.k8s.io',
    'apples.io',
  ];
  expect(groups.sort(compareGroups)).toEqual([
    'apps',
    'batch',
    'storage.platform.io',
    'flowcontrol.apiserver.k8s.io',
    'apples.io',
    'zoo.example.com',
  ]);
});
