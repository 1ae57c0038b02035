/** Watches of a store whose sinks fail. */
import { describe, expect, it } from 'vitest';
import type { StoreEvent } from '../../../../../runtime/contract/index.js';
import { WatchHub } from '../../../../../runtime/storage/memory/watch-hub.js';

const event = (revision: number): StoreEvent => ({
  type: 'ADDED',
  revision,
  entry: { key: 'g/lamps/a', revision, bytes: Buffer.from('{}'), attributes: { labels: {}, fields: {} } },
});

describe('a sink that throws', () => {
  it('is reported and loses its watch, and the others go on', () => {
    const errors: unknown[] = [];
    const told: string[] = [];
    const hub = new WatchHub((error) => errors.push(error));
    const fault = new Error('injected');
    const late = new Error('injected at the end');
    hub.add('g/lamps/', 0, {
      event: () => {
        throw fault;
      },
      ended: (reason) => {
        told.push(reason);
        throw late;
      },
    });
    hub.add('g/lamps/', 0, { event: ({ revision }) => told.push(`${revision}`), ended: () => {} });
    hub.dispatch(event(1));
    hub.dispatch(event(2));
    expect(told).toEqual(['closed', '1', '2']);
    expect(errors).toEqual([fault, late]);
    expect(hub.size).toBe(1);
  });
});
