/** Runs the built command, with the arguments of the process; builds it before where the sources have changed. */
import { createRequire } from 'node:module';
import { buildConsole, currentBuild } from './current-build.mjs';

// The console is built beside the start of the server, which shows it once it is there.
if (['serve', 'dev', 'console'].includes(process.argv[2] ?? '')) buildConsole();
const file = currentBuild(() => console.error('building the command'));
createRequire(import.meta.url)(file);
