/** Reads the examples of kinds, each with the text that people copy. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Example {
  readonly group: string;
  readonly kind: string;
  readonly text: string;
}

/** Reads `examples.yaml`. */
export function readExamples(): readonly Example[] {
  const file = readFileSync(join(import.meta.dirname, '../examples.yaml'), 'utf8').replace(/^#.*\n/, '');
  return file.split(/^---\n/m).map((text) => {
    const [, group = '', kind = ''] = /^apiVersion: (?:(.*)\/)?.*\nkind: (.*)$/m.exec(text) ?? [];
    return { group, kind, text };
  });
}
