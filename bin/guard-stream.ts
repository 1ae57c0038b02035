/** Guards the terminal: all text that the command prints passes here. */
import { escapeTerminal } from '../runtime/objects/terminal.js';

/** The part of a stream that is needed. */
interface TextStream {
  write(chunk: string | Uint8Array, ...rest: unknown[]): boolean;
}

/**
 * Escapes control characters in the texts that are written to a stream, so that nobody's object clears lines, forges
 * rows or sets the title of a terminal. Bytes pass as they are: they are the command's own control sequences, or values
 * that a template has filled in for another program.
 */
export function guardStream(stream: TextStream): void {
  const write = stream.write.bind(stream);
  stream.write = (chunk, ...rest) => write(typeof chunk === 'string' ? escapeTerminal(chunk) : chunk, ...rest);
}
