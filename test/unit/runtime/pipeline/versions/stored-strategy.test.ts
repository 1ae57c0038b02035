/** Strategies of a kind, called through a version that is not the stored one. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject, Strategy, StrategyContext } from '../../../../../runtime/contract/index.js';
import { serveResource } from '../../../../../runtime/pipeline/resource/serve-resource.js';
import { instantiateConversion } from '../../../../../runtime/schema/index.js';
import { moduleOf } from '../../../../support/modules.js';

const stored = serveResource(moduleOf('example.com', 'parts', 'Part', { version: 'v2' }));
const conversion = instantiateConversion([{ move: { field: 'old', stored: 'new' } }]);
const through = (strategy: Strategy) =>
  serveResource(moduleOf('example.com', 'parts', 'Part', { storage: false, conversion }), { stored, strategy })
    .strategy;

const object = (more: JsonObject): ApiObject => ({ apiVersion: 'example.com/v1', kind: 'Part', metadata: {}, ...more });
const context: StrategyContext = {
  user: { name: 'u', uid: '', groups: [], extra: {} },
  subresource: '',
  now: '2024-05-06T07:08:09Z',
  featureEnabled: () => false,
};

describe('hooks', () => {
  it('see objects of the stored version', () => {
    const seen: unknown[] = [];
    const strategy = through({
      kind: 'example.com/Part',
      validate: (each) => {
        seen.push(each.new);
        return [];
      },
      validateUpdate: (each, old) => {
        seen.push([each.new, old.new]);
        return [];
      },
      cell: (each) => Number(each.new),
    });
    strategy?.validate?.(object({ old: 1 }), context);
    strategy?.validateUpdate?.(object({ old: 2 }), object({ old: 1 }), context);
    expect(seen).toEqual([1, [2, 1]]);
    expect(strategy?.cell?.(object({ old: 3 }), 'Size', 0)).toBe(3);
  });

  it('change objects as if these were of the stored version', () => {
    const strategy = through({
      kind: 'example.com/Part',
      prepareForCreate: (each) => {
        each.new = 'set';
        delete each.gone;
      },
    });
    const given = object({ old: 'sent', gone: 1 });
    strategy?.prepareForCreate?.(given, context);
    expect(given).toEqual(object({ old: 'set' }));
  });

  it('that a kind has not are not there, and its own form is made when objects are decoded', () => {
    const strategy = through({ kind: 'example.com/Part', canonicalize: () => {} });
    expect(strategy).toEqual({ kind: 'example.com/Part' });
  });
});
