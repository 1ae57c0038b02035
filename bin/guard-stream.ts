/** Guards the terminal: all text that the command prints passes here. */
import { escapeTerminal } from '../runtime/objects/terminal.js';

/** The part of a stream that is needed. */
interface TextStream {
  write(chunk: string | Uint8Array, ...rest: unknown[]): boolean;
}

/**
 * Escapes control characters in texts that are written to a stream. Otherwise an object could clear lines, forge rows
 * or set the title of a terminal. Bytes pass as they are: they are the command's own control sequences, or values that
 * a template has filled in for another program.
 */
export function guardStream(stream: TextStream): void {
  const write = stream.write.bind(stream);
  stream.write = (chunk, ...rest) => write(typeof chunk === 'string' ? escapeTerminal(chunk) : chunk, ...rest);
}
