/** Gates that definitions name. */
import { expect, it } from 'vitest';
import { gatesOf } from '../../../../../runtime/registry/settings/named-gates.js';
import { moduleOf } from '../../../../support/modules.js';

it('are those of kinds and of fields', () => {
  const modules = [
    moduleOf('', 'a', 'A', { fieldGates: ['OfField', 'OfOther'] }),
    moduleOf('', 'b', 'B', { featureGate: 'OfKind' }),
  ];
  expect([...gatesOf(modules)].sort()).toEqual(['OfField', 'OfKind', 'OfOther']);
});
