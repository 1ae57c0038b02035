/** Builds the console of a checkout. `buildConsole` runs it. */
import { currentConsole } from './current-build.mjs';

currentConsole();
