/** The parts of the package that programs import, built into a few files. Tests of the same sources share one build. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildOnce } from '../../bin/current-build.mjs';
import { sourcesOfModules } from './package-build.js';
import { root } from './shared.js';

const script = 'test/support/build-library.mjs';
let known: string | undefined;

/** Returns its folder. The `tsconfig.json` there maps the imports of the package to these files. */
export function builtLibrary(): string {
  known ??= buildOnce('library', [...sourcesOfModules(), script], (folder) => {
    execFileSync(process.execPath, [join(root, script), folder], { stdio: 'inherit' });
  });
  return known;
}
