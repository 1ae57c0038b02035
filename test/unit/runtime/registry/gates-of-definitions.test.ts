/** Gates that definitions name. */
import { expect, it } from 'vitest';
import { gatesOf } from '../../../../runtime/registry/gates-of-definitions.js';
import { moduleOf } from '../../../support/modules.js';

it('are those of kinds and of fields, wherever they are', () => {
  const gated = (gate: string) => ({ type: 'string', 'x-kindforge-feature-gate': gate }) as const;
  const schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { a: gated('InSpec') } },
      list: { type: 'array', items: { type: 'object', properties: { b: gated('InList') } } },
      map: { type: 'object', additionalProperties: { type: 'object', properties: { c: gated('InMap') } } },
    },
  } as const;
  const modules = [moduleOf('', 'a', 'A', { schema }), moduleOf('', 'b', 'B', { featureGate: 'OfKind' })];
  expect([...gatesOf(modules)].sort()).toEqual(['InList', 'InMap', 'InSpec', 'OfKind']);
});
