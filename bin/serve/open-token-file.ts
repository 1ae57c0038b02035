/** Opens the token file of `kindforge serve`. */
import { readFileSync } from 'node:fs';
import { defineTokenFile } from '../../plugins/index.js';
import type { Authenticator } from '../../runtime/contract/index.js';

/** An authenticator for the tokens of a file. What is odd about the file is told; throws where it cannot be used. */
export function openTokenFile(path: string): Authenticator {
  const opened = defineTokenFile(readFileSync(path, 'utf8'));
  if (!opened.ok) throw new Error(`${path}: ${opened.problem}`);
  for (const warning of opened.warnings) console.error(`kindforge: ${path}: ${warning}`);
  return opened.authenticator;
}
