/** The strategy that docs/strategies.md builds. */
import { describe, expect, it } from 'vitest';
import { defineWidgetStrategy } from '../../../examples/strategies/widget-strategy.js';
import type { ApiObject, JsonObject } from '../../../runtime/contract/index.js';
import { contextOf, testStrategy } from '../../support/strategy-suite.js';

const strategy = defineWidgetStrategy();

const widget = (spec: JsonObject, made?: number): ApiObject => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Widget',
  metadata: { name: 'door', namespace: 'default' },
  spec,
  ...(made === undefined ? {} : { status: { made } }),
});

testStrategy({
  strategy,
  stored: widget({ size: 'large', count: 3, colours: ['blue', 'red'] }, 2),
  words: ['count', 'colours', 'made'],
  subresources: ['status'],
  columns: ['Made'],
});

describe('an order for widgets', () => {
  it('has its colours in one form', () => {
    const object = widget({ colours: ['RED', 'Blue'] });
    strategy.canonicalize?.(object);
    expect(object.spec).toEqual({ colours: ['blue', 'red'] });
  });

  it('is for no fewer than have been made', () => {
    const change = (count: number) =>
      strategy.validateUpdate?.(widget({ count }, 2), widget({ count: 3 }, 2), contextOf());
    expect(change(2)).toEqual([]);
    expect(change(1)).toMatchObject([{ field: 'spec.count', reason: 'FieldValueInvalid' }]);
  });

  it('comes with a warning when it is large', () => {
    expect(strategy.warnings?.(widget({ count: 100 }), undefined)).toEqual([]);
    expect(strategy.warnings?.(widget({ count: 101 }), undefined)).toHaveLength(1);
  });
});
