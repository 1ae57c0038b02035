/** Tells which version of Kindforge this is. */
import { readFileSync } from 'node:fs';

/** The version in the package's own manifest, which lies one folder up in a checkout and two in a build; `0.0.0` without one. */
export function readProductVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
      if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
    } catch {
      // Not there: the other place has it.
    }
  }
  return '0.0.0';
}
