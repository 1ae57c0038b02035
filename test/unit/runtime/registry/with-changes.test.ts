/** Copies of modules have the values they are given, and find out the others when they are asked, as the module does. */
import { describe, expect, it } from 'vitest';
import type { ResourceModule, Schema } from '../../../../runtime/contract/index.js';
import { withChanges } from '../../../../runtime/registry/with-changes.js';
import { widgets } from '../../../support/widgets.js';

describe('a copy of a module', () => {
  it('has what was changed, and all else of the module, which stays as it was', () => {
    const copy = withChanges(widgets, { group: 'others.example.com' });
    expect(copy).toEqual({ ...widgets, group: 'others.example.com' });
    expect(widgets.group).not.toBe('others.example.com');
  });

  it('asks for nothing that the module inherits, and inherits it, too', () => {
    let asked = 0;
    const { schema, ...others } = widgets;
    const late: ResourceModule = Object.setPrototypeOf(
      { ...others },
      {
        get schema(): Schema {
          asked++;
          return schema;
        },
      },
    );
    const copy = withChanges(withChanges(late, { group: 'others.example.com' }), { subresources: [] });
    expect(asked).toBe(0);
    expect(copy.schema).toBe(schema);
    expect(asked).toBe(1);
    expect(copy).toMatchObject({ group: 'others.example.com', subresources: [] });
  });
});
