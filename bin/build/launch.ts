#!/usr/bin/env node
/** Starts the command of a build. */
import { loadProgram, runProgram } from './program.js';

runProgram(import.meta.dirname, loadProgram(import.meta.dirname));
