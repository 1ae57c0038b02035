/**
 * Checks the packages that only some parts of Kindforge need: which ones are installed, and whether their versions fit.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { textOf } from '../../runtime/objects/guards.js';
import { readManifest } from '../../server/kinds.js';
import { fieldsOf } from '../objects/printing.js';
import { type Check, type Finding, ok, warning } from './finding.js';

export const packages: Check = {
  name: 'packages',
  run: () => {
    const wanted = Object.entries(readManifest().peerDependencies ?? {});
    return wanted.map(([name, range]) => judge(name, range, installed(name)));
  },
};

/** Checks a version against a range as in `^1.14.0`. */
export function judge(name: string, range: string, version: string | undefined): Finding {
  if (version === undefined) {
    return ok(`${name} is not installed: ${uses[name] ?? 'a part of Kindforge'} needs it (npm install ${name})`);
  }
  const fits = satisfies(version, range);
  return fits
    ? ok(`${name} ${version}`)
    : warning(`${name} ${version} is not ${range}`, `npm install ${name}@${range}`);
}

/** The part that needs each optional package. */
export const uses: Readonly<Record<string, string>> = {
  '@grpc/grpc-js': '--storage etcd:…',
  '@opentelemetry/exporter-trace-otlp-grpc': '--tracing-config-file',
  '@opentelemetry/resources': '--tracing-config-file',
  '@opentelemetry/sdk-trace': '--tracing-config-file',
  db0: 'the driver db0 of unstorage, in programs,',
  esbuild: 'kindforge bundle',
  pg: '--storage postgres://…',
  protobufjs: '--storage etcd:…',
};

/**
 * Reports whether a release satisfies a caret range: `^1.2.3` allows 1.2.3 and later 1.x, `^0.2.3` allows 0.2.3 and
 * later 0.2.x.
 */
function satisfies(version: string, range: string): boolean {
  const [major = 0, minor = 0, patch = 0] = numbers(range.replace(/^\^/, ''));
  const [ofMajor = 0, ofMinor = 0, ofPatch = 0] = numbers(version);
  if (ofMajor !== major) return false;
  if (major === 0) return ofMinor === minor && ofPatch >= patch;
  return ofMinor > minor || (ofMinor === minor && ofPatch >= patch);
}

const numbers = (version: string): readonly number[] => version.split('-', 1).join('').split('.').map(Number);

/** Finds the release that Kindforge would import. */
function installed(name: string): string | undefined {
  for (const folder of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    try {
      return textOf(fieldsOf(JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'))).version);
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
