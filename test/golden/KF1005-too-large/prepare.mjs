/** Makes a file that is larger than what is read. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function prepare(folder) {
  writeFileSync(join(folder, 'large.yaml'), Buffer.alloc(16 * 1024 * 1024 + 1, '#'));
}
