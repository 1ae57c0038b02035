#!/usr/bin/env node
/** Starts the command of a build. */
import { callExport, keepCode, loadProgram, runProgram } from './program.js';

/** After this time a server is ready, and V8 has not yet dropped the code of its start. */
const untilKeptMs = 2000;

const folder = import.meta.dirname;
const program = loadProgram(folder);
// A published package has no compiled code, because one release of Node rejects another's. The first server saves it.
if (program.cachedDataRejected !== false) setTimeout(() => keepCode(folder, program), untilKeptMs).unref();
callExport(runProgram(folder, program), 'runCommand');
