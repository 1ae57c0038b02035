#!/usr/bin/env node
/** Starts the command of a build. */
import { loadProgram } from './launch/load-program.js';

loadProgram(import.meta.dirname).run();
