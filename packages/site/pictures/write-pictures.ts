/** The script `npm run docs:pictures`: draws the pictures of `docs/pictures/` again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawAll } from './draw.js';

const folder = join(import.meta.dirname, '../../../docs/pictures');
for (const [name, svg] of await drawAll()) writeFileSync(join(folder, name), svg);
