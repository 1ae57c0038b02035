#!/usr/bin/env node
/** Starts the command of a build. */
import { join } from 'node:path';
import { lateKindsFile, loadProgram, programFile } from './launch/load-program.js';
import { nameSourcePlaces } from './launch/source-places.js';

nameSourcePlaces([programFile, lateKindsFile].map((name) => join(import.meta.dirname, name)));
loadProgram(import.meta.dirname).run();
