/** The order in which discovery lists groups. */
import { expect, it } from 'vitest';
import { compareGroups } from '../../../../runtime/server/group-order.js';

const builtIn = new Set(['storage.k8s.io', 'apps', 'apiregistration.k8s.io', 'admissionregistration.platform.io']);
const sorted = (...groups: string[]): string[] => groups.sort(compareGroups((group) => builtIn.has(group)));

it('built-in groups come in the order of the reference, under any naming', () => {
  expect(sorted('admissionregistration.platform.io', 'apps', 'storage.k8s.io', 'apiregistration.k8s.io')).toEqual([
    'apiregistration.k8s.io',
    'apps',
    'storage.k8s.io',
    'admissionregistration.platform.io',
  ]);
});

it('all others follow by their names, whatever they are called', () => {
  expect(sorted('zoo.example.com', 'apps.example.com', 'storage.k8s.io', 'bakery.example.com')).toEqual([
    'storage.k8s.io',
    'apps.example.com',
    'bakery.example.com',
    'zoo.example.com',
  ]);
});
