/**
 * Runs the command `kindforge` to its end in the test's own process, which takes a small part of the time of a new one.
 */
import { CommanderError } from 'commander';
import { vi } from 'vitest';
import { exitCodes } from '../../bin/exit-codes.js';
import { createProgram } from '../../bin/program.js';
import type { Ended } from './server-process.js';

/** Runs one command. Two commands at once would mix their output. */
export async function runHere(...args: readonly string[]): Promise<Ended> {
  const said = { out: '', err: '' };
  const keep = (stream: keyof typeof said) => (text: string | Uint8Array) => {
    said[stream] += text.toString();
    return true;
  };
  const keepLine = (stream: keyof typeof said) => (line?: unknown) => {
    said[stream] += `${String(line ?? '')}\n`;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep('err')),
    vi.spyOn(console, 'log').mockImplementation(keepLine('out')),
    vi.spyOn(console, 'error').mockImplementation(keepLine('err')),
  ];
  const removeListeners = noteListeners();
  process.exitCode = undefined;
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    return { code: Number(process.exitCode ?? exitCodes.done), ...said };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { code: error.exitCode === 0 ? exitCodes.done : exitCodes.failed, ...said };
  } finally {
    process.exitCode = undefined;
    removeListeners();
    for (const spy of spies) spy.mockRestore();
  }
}

/** Returns a function that removes all later listeners. A command listens until its process ends. */
function noteListeners(): () => void {
  const uncaught = process.listeners('uncaughtException');
  const signals = (['SIGINT', 'SIGTERM'] as const).map((signal) => [signal, process.listeners(signal)] as const);
  return () => {
    for (const listener of process.listeners('uncaughtException'))
      if (!uncaught.includes(listener)) process.off('uncaughtException', listener);
    for (const [signal, earlier] of signals)
      for (const listener of process.listeners(signal)) if (!earlier.includes(listener)) process.off(signal, listener);
  };
}
