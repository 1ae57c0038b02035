import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { selectorFromTemplate } from '../../../../strategies/apps/workloads.js';

const converted = (spec: JsonObject): JsonObject => {
  const object = { spec };
  selectorFromTemplate.toStored(object, (name) => name);
  return object.spec;
};
const template = { metadata: { labels: { app: 'a' } } };

describe('a selector', () => {
  it('selects the labels of the template if it is absent', () =>
    expect(converted({ template }).selector).toEqual({ matchLabels: { app: 'a' } }));

  it('stays if it is present, even if it is empty', () =>
    expect(converted({ template, selector: {} }).selector).toEqual({}));

  it('stays absent without labels', () => expect(converted({ template: {} })).toEqual({ template: {} }));
});
