/** The text of a definition that a user edits, and the places in it. */
import type { DynamicObject } from 'kindforge/client';
import type { Mark } from '../../editor/editor-state.svelte.js';
import { placeIn, problemsOf } from '../../schema/problems.js';
import { textAt } from './json.js';

/** Prints the part of a definition that a user may set. */
export async function textOf({ apiVersion, kind, metadata, spec }: DynamicObject): Promise<string> {
  const { printYaml } = await import('../../schema/yaml-text.js');
  const { name, labels, annotations } = metadata;
  const kept = { name, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) };
  return printYaml({ apiVersion, kind, metadata: kept, spec });
}

/** A typed text that is not published, and the revision of the definition that it changes. */
export interface KeptDraft {
  readonly text: string;
  readonly revision: string;
}

/** Reads the draft that the tab has kept; returns `undefined` if it is invalid. */
export function readDraft(kept: string | undefined): KeptDraft | undefined {
  if (kept === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(kept);
    const text = textAt(value, 'text');
    return text === '' ? undefined : { text, revision: textAt(value, 'revision') };
  } catch {
    return undefined;
  }
}

/** Returns a template for a new definition. */
export const templateOf = (apiVersion: string): string => `apiVersion: ${apiVersion}
kind: CustomResourceDefinition
metadata:
  name: widgets.shop.example.com # the plural, and the group
spec:
  group: shop.example.com
  scope: Namespaced
  names:
    plural: widgets
    singular: widget
    kind: Widget
    shortNames: [wd]
  versions:
    - name: v1
      served: true
      storage: true
      subresources:
        status: {}
      additionalPrinterColumns:
        - name: Size
          type: string
          jsonPath: .spec.size
      schema:
        openAPIV3Schema:
          type: object
          description: A thing that the shop sells.
          required: [spec]
          properties:
            spec:
              type: object
              required: [size]
              properties:
                size:
                  type: string
                  description: How large it is.
                  enum: [small, large]
                count:
                  type: integer
                  description: How many there are.
                  minimum: 0
                  default: 1
            status:
              type: object
              properties:
                ready:
                  type: boolean
`;

/** Lists the mistakes of a text that is not valid YAML. */
export async function syntaxMarks(text: string): Promise<readonly Mark[]> {
  const { readYaml } = await import('../../schema/yaml-text.js');
  return readYaml(text).errors.map((error) => ({ ...error, severity: 'error' }));
}

/** Returns the messages of an error about fields, at their lines. */
export async function marksOf(text: string, error: unknown): Promise<readonly Mark[]> {
  const { lineOf, readYaml } = await import('../../schema/yaml-text.js');
  const read = readYaml(text);
  return problemsOf(error).map(({ path, message, severity = 'error' }) => ({
    line: lineOf(read, placeIn(path, read.value)),
    message: path === '' ? message : `${path}: ${message}`,
    severity,
  }));
}
