/** Tells which version of Kindforge this is, and what it says of itself. */
import { readFileSync } from 'node:fs';

/** The part of the package's own manifest that is read. */
export interface ProductManifest {
  readonly version?: string;
  readonly engines?: { readonly node?: string };
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The package's own manifest, which lies one folder up in a checkout and two in a build; empty without one. */
export function readManifest(): ProductManifest {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
      if (isManifest(manifest)) return manifest;
    } catch {
      // Not there: the other place has it.
    }
  }
  return {};
}

/** `0.0.0` where nothing says so. */
export const readProductVersion = (): string => readManifest().version ?? '0.0.0';

const isManifest = (value: unknown): value is ProductManifest =>
  typeof value === 'object' && value !== null && 'version' in value && typeof value.version === 'string';
