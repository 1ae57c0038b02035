/** Runs the built command, with the arguments of the process; builds it before where the sources have changed. */
import { createRequire } from 'node:module';
import { currentBuild } from './current-build.mjs';

const file = currentBuild(() => console.error('building the command'));
createRequire(import.meta.url)(file);
