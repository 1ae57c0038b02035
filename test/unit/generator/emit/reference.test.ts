/** Pages of the reference: every field has its row and every link its target. */
import { writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../../generator/check/load-definitions.js';
import { referenceEmitter } from '../../../../generator/emit/reference.js';
import type { Model } from '../../../../generator/model/model.js';
import { builtInDefinitions } from '../../../support/built-in-definitions.js';
import { outputText } from '../../../support/output-text.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();

const bread = `apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: breads.bakery.example.com }
spec:
  group: bakery.example.com
  names: { plural: breads, kind: Bread, shortNames: [br] }
  scope: Namespaced
  versions:
    - name: v1
      stability: { level: beta, introduced: "2.1" }
      additionalPrinterColumns: [{ name: Flour, type: string, jsonPath: .spec.flour }]
      schema:
        openAPIV3Schema:
          type: object
          description: A bread to bake.
          required: [spec]
          properties:
            spec: { $ref: "bakery/v1#/BreadSpec", description: What to bake. }
---
apiVersion: kindforge.dev/v1
kind: TypeLibrary
metadata: { name: bakery/v1 }
spec:
  types:
    BreadSpec:
      type: object
      properties:
        flour: { type: string, enum: [wheat, rye], default: rye, description: "Wheat | rye." }
        toppings: { type: array, items: { $ref: "bakery/v1#/Topping" }, description: What goes on top. }
        oven:
          type: object
          description: Where it is baked.
          properties: { degrees: { type: integer, format: int32, x-kindforge-immutable: true, x-kindforge-introduced: "2.2", x-kindforge-removed: "2.4", x-kindforge-feature-gate: HotOvens, description: How hot it is. } }
    Topping:
      type: object
      description: Something on top.
      properties: { name: { type: string, description: What it is. } }
`;

function modelOf(text: string): Model {
  writeFileSync(join(folder, 'bread.yaml'), text);
  const { model, diagnostics } = loadDefinitions(folder);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return model;
}

const pagesOf = (model: Model): ReadonlyMap<string, string> =>
  new Map((referenceEmitter.emitModel?.(model) ?? []).map((file) => [file.path, outputText(file)]));

describe('the reference', () => {
  const pages = pagesOf(modelOf(bread));

  it('has a page for the group, with the fields of spec in place', () => {
    const page = pages.get('reference/bakery.example.com.md')?.split('\n') ?? [];
    expect(page.slice(0, 9)).toEqual([
      '# bakery.example.com',
      '',
      '## Bread',
      '',
      'A bread to bake.',
      '',
      '- resource: `breads`, short `br`',
      '- scope: Namespaced',
      '- verbs: create, delete, deletecollection, get, list, patch, update, watch',
    ]);
    expect(page).toContain('stored, beta, since 2.1.');
    expect(page.filter((line) => line.startsWith('| `'))).toEqual([
      '| `spec` | [BreadSpec](types/bakery-v1.md#breadspec) | What to bake. Required. |',
      '| `spec.flour` | `wheat`, `rye` | Wheat \\| rye. Default: `"rye"`. |',
      '| `spec.toppings` | list of [Topping](types/bakery-v1.md#topping) | What goes on top. |',
      '| `spec.oven` | object | Where it is baked. |',
      '| `spec.oven.degrees` | integer | How hot it is. Immutable. Feature gate: `HotOvens`. Since 2.2. Removed in 2.4. |',
    ]);
  });

  it('has a page for the library, with links within the page', () => {
    expect(pages.get('reference/types/bakery-v1.md')).toContain(
      '| `toppings` | list of [Topping](bakery-v1.md#topping) | What goes on top. |',
    );
  });

  it('links to every page of the built-in kinds, and no link is broken', () => {
    const builtIn = pagesOf(builtInDefinitions().model);
    const headings = new Map(
      [...builtIn].map(([path, text]) => [
        path,
        new Set([...text.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name.toLowerCase())),
      ]),
    );
    const seen = new Set(['reference/README.md']);
    for (const [path, text] of builtIn) {
      for (const [link, file = '', anchor = ''] of text.matchAll(/\]\(([\w./-]+\.md)(?:#(\w+))?\)/g)) {
        const target = normalize(join(dirname(path), file));
        seen.add(target);
        expect(headings.has(target) && (anchor === '' || headings.get(target)?.has(anchor)), `${path}: ${link}`).toBe(
          true,
        );
      }
    }
    expect([...builtIn.keys()].filter((path) => !seen.has(path))).toEqual([]);
  });
});
