#!/usr/bin/env node
/** Starts the command of a build. */
import { callExport, loadProgram, runProgram } from './program.js';

callExport(runProgram(import.meta.dirname, loadProgram(import.meta.dirname)), 'runCommand');
