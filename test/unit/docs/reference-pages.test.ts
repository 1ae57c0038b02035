/** The emitter that docs/emitters.md builds. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { referencePages } from '../../../examples/emitters/reference-pages.js';
import { loadDefinitions } from '../../../generator/check/load-definitions.js';
import type { Model } from '../../../generator/model/model.js';
import { builtInDefinitions } from '../../support/built-in-definitions.js';
import { outputText } from '../../support/output-text.js';
import { root } from '../../support/shared.js';

const pagesOf = (model: Model) =>
  model.resources.flatMap((resource) => referencePages.emitResource?.(resource, model) ?? []);

describe('reference pages', () => {
  it('have a row for each field', () => {
    const [page] = pagesOf(loadDefinitions(join(root, 'examples/shop/schemas')).model);
    expect(page?.path).toBe('reference/shop.example.com/v1/widgets.md');
    const rows = (page ? outputText(page) : '').split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.map((row) => row.split('`')[1])).toEqual([
      'spec',
      'spec.size',
      'spec.count',
      'spec.colours',
      'status',
      'status.made',
    ]);
    expect(rows[1]).toContain('(required) How large the widget is.');
  });

  it('are the same each time, and none is written twice', () => {
    const { model } = builtInDefinitions();
    const pages = pagesOf(model);
    expect(pages.length).toBeGreaterThan(5);
    expect(pagesOf(model)).toEqual(pages);
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
  });
});
