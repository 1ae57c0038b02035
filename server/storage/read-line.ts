/** Reads a file that holds one value, such as a password. */
import { readFileSync } from 'node:fs';

/** The text of the file; a line end at its end does not count. */
export const readLine = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '');
