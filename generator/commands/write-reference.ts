/** The script `npm run docs:reference`: writes the reference of the built-in kinds into `docs-reference/`. */
import { fileURLToPath } from 'node:url';
import { loadDefinitions } from '../check/load-definitions.js';
import { referenceEmitter } from '../emit/reference.js';
import { openOutput } from '../write/output-folder.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

const { model } = loadDefinitions(`${root}schemas`);
const output = openOutput(`${root}docs-reference`);
for (const { path, content } of referenceEmitter.emitModel?.(model) ?? []) {
  output.add({ path: path.replace(/^reference\//, ''), content });
}
output.finish();
