/** Opens the token file of `kindforge serve`. */
import { readFileSync } from 'node:fs';
import { defineTokenFile } from '../../plugins/index.js';
import type { Authenticator } from '../../runtime/contract/index.js';
import { explaining } from './explain.js';

/** An authenticator for the tokens of a file. What is odd about the file is told; rejects where it cannot be used. */
export async function openTokenFile(path: string): Promise<Authenticator> {
  const text = await explaining(
    () => readFileSync(path, 'utf8'),
    ({ message }) => `--token-auth-file ${path}: ${message}`,
  );
  const opened = defineTokenFile(text);
  if (!opened.ok) throw new Error(`${path}: ${opened.problem}`);
  for (const warning of opened.warnings) console.error(`kindforge: ${path}: ${warning}`);
  return opened.authenticator;
}
