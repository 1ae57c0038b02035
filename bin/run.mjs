/** Runs the built command with the arguments of the process. Builds it first if the sources have changed. */
import { createRequire } from 'node:module';
import { buildConsole, currentBuild } from './current-build.mjs';

// Builds the console while the server starts. The server serves the console once it is built.
if (['serve', 'dev', 'console'].includes(process.argv[2] ?? '')) buildConsole();
const file = currentBuild(() => console.error('building the command'));
createRequire(import.meta.url)(file);
