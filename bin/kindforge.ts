/** Runs the command from the sources. A build starts with `launch.ts`. */
import { run } from './program.js';

run();
