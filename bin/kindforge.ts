/** The command as it is run from the sources; `launch.ts` is what a build runs. */
import { run } from './program.js';

run();
