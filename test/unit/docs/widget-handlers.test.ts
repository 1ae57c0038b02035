/** The handlers that docs/handlers.md defines. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../generator/check/load-definitions.js';
import { modulesOf } from '../../../generator/emit/modules.js';
import type { ApiObject, JsonObject, KindHandlers } from '../../../runtime/contract/index.js';
import { contextOf, testHandlers } from '../../support/handlers-suite.js';
import { filesIn, scratchFolder } from '../../support/scratch-folder.js';
import { emit } from '../generator/emit/emitting.js';

// The example imports generated code from the page's commands, so it runs in a folder with that code.
const folder = scratchFolder();
const write = filesIn(folder);
const { model } = loadDefinitions('examples/shop/schemas');
for (const [path, content] of emit(model)) write(join('shop/generated', path), content);
write('handlers/widgets.ts', readFileSync('examples/handlers/widgets.ts', 'utf8'));
const { widgets: handlers }: { widgets: KindHandlers } = await import(join(folder, 'handlers/widgets.ts'));

const widget = (spec: JsonObject, made?: number): ApiObject => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Widget',
  metadata: { name: 'door', namespace: 'default' },
  spec,
  ...(made === undefined ? {} : { status: { made } }),
});

testHandlers({
  handlers,
  stored: widget({ size: 'large', count: 3, colours: ['blue', 'red'] }, 2),
  module: modulesOf(model)[0],
});

describe('an order for widgets', () => {
  it('has its colors in one form', () => {
    const object = widget({ colours: ['RED', 'Blue'] });
    handlers.canonicalize?.(object);
    expect(object.spec).toEqual({ colours: ['blue', 'red'] });
  });

  it('is for no fewer widgets than were already made', () => {
    const change = (count: number) =>
      handlers.validateUpdate?.(widget({ count }, 2), widget({ count: 3 }, 2), contextOf());
    expect(change(2)).toEqual([]);
    expect(change(1)).toMatchObject([{ field: 'spec.count', reason: 'FieldValueInvalid' }]);
  });

  it('causes a warning when it is large', () => {
    expect(handlers.warn?.(widget({ count: 100 }), undefined)).toEqual([]);
    expect(handlers.warn?.(widget({ count: 101 }), undefined)).toHaveLength(1);
  });

  it('shows how many were made', () => expect(handlers.columns?.Made?.(widget({ count: 3 }, 2), 0)).toBe('2/3'));
});
