#!/usr/bin/env node
/** Starts the command of a build. */
import { join } from 'node:path';
import { loadProgram, programFile } from './launch/load-program.js';
import { nameSourcePlaces } from './launch/source-places.js';

nameSourcePlaces(join(import.meta.dirname, programFile));
loadProgram(import.meta.dirname).run();
