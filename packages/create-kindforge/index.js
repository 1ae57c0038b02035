#!/usr/bin/env node
/** Runs `kindforge init` with the arguments of `npm create kindforge`. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const manifest = require.resolve('kindforge/package.json');
const program = join(dirname(manifest), require(manifest).bin.kindforge);
process.argv.splice(1, 1, program, 'init');
require(program);
