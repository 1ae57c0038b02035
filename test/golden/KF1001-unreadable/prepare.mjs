/** A symbolic link that leads to itself cannot be kept in every checkout. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

export function prepare(folder) {
  symlinkSync('circle.yaml', join(folder, 'circle.yaml'));
  symlinkSync('nowhere.yaml', join(folder, 'dangling.yaml'));
}
