import { describe, expect, it } from 'vitest';
import { storedChanges } from '../../../../packages/console/src/schema/stored-changes.js';

const widget = (spec: object, metadata = {}) => ({
  apiVersion: 'v1',
  kind: 'Widget',
  metadata: { name: 'a', ...metadata },
  spec,
});

describe('storedChanges', () => {
  it("separates the user's changes from the server's", () => {
    const before = widget({ size: 1, most: 9 }, { resourceVersion: '1', uid: 'u' });
    const written = widget({ size: 2, most: 9, ports: [{ name: 'x' }] }, { resourceVersion: '1', uid: 'u' });
    const stored = widget(
      { size: 2, most: 9, ports: [{ name: 'x', protocol: 'TCP' }] },
      { resourceVersion: '2', uid: 'u' },
    );
    expect(storedChanges(before, stored, written)).toEqual({
      changes: [
        { path: 'spec.size', before: 1, after: 2 },
        { path: 'spec.ports', after: [{ name: 'x', protocol: 'TCP' }] },
      ],
      filledIn: [{ path: 'spec.ports[name=x].protocol', after: 'TCP' }],
    });
  });

  it('lists a default once', () => {
    const found = storedChanges(widget({ size: 1 }), widget({ size: 2, most: 9 }), widget({ size: 2 }));
    expect(found.changes.map(({ path }) => path)).toEqual(['spec.size']);
    expect(found.filledIn).toEqual([{ path: 'spec.most', after: 9 }]);
  });

  it('leaves out fields that change with every write', () => {
    const stored = widget(
      {},
      { resourceVersion: '2', generation: 2, managedFields: [], creationTimestamp: 'now', uid: 'u' },
    );
    expect(storedChanges(widget({}), stored, widget({}))).toEqual({ changes: [], filledIn: [] });
  });
});
