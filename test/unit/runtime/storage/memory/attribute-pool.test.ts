import { describe, expect, it } from 'vitest';
import { AttributePool } from '../../../../../runtime/storage/memory/attribute-pool.js';

describe('shared attributes', () => {
  it('are equal to what was given', () => {
    const pool = new AttributePool();
    const attributes = { labels: { app: 'a', __proto__x: 'b' }, fields: { 'spec.x': '1' } };
    expect(pool.share(attributes)).toEqual(attributes);
    expect(pool.share({ labels: {}, fields: {} })).toEqual({ labels: {}, fields: {} });
  });

  it('are the same object for the same labels', () => {
    const pool = new AttributePool();
    const one = pool.share({ labels: { app: 'a' }, fields: {} });
    expect(pool.share({ labels: { app: 'a' }, fields: {} })).toBe(one);
    expect(pool.share({ labels: { app: 'b' }, fields: {} })).not.toBe(one);
    const other = pool.share({ labels: { app: 'a' }, fields: { 'spec.x': '1' } });
    expect(other.labels).toBe(one.labels);
    expect(other.fields).toEqual({ 'spec.x': '1' });
  });

  it('are not remembered without end', () => {
    const pool = new AttributePool();
    const one = pool.share({ labels: { app: 'a' }, fields: {} });
    for (let index = 0; index < 10_000; index++) pool.share({ labels: { index: String(index) }, fields: {} });
    const again = pool.share({ labels: { app: 'a' }, fields: {} });
    expect(again).not.toBe(one);
    expect(again).toEqual(one);
  });
});
