/** Loads the server for tests from the file of the command, with the compiled code of that file. */
import { join } from 'node:path';
import type * as Testing from '../../testing/index.js';
import { callExport, keepCode, loadProgram, runProgram } from './program.js';

const folder = join(import.meta.dirname, '../bin');
const program = loadProgram(folder);
// Saves the compiled code at exit, because a test run may end before a timer fires.
if (program.cachedDataRejected !== false) process.once('exit', () => keepCode(folder, program));
const loaded = await callExport(runProgram(folder, program), 'testing');

/** Reports whether the build has put the file there. */
function isTesting(value: unknown): value is typeof Testing {
  return typeof value === 'object' && value !== null && 'startTestServer' in value;
}

if (!isTesting(loaded)) throw new Error('the program of the build has no server for tests');

export const { startTestServer, TestClock, testServerFixtures, UntilTimeoutError, useTestServer } = loaded;
