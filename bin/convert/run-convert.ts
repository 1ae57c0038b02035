/** The job of `kindforge convert`. */
import { readFileSync } from 'node:fs';
import { namingOf } from '../../runtime/objects/naming.js';
import { defineConverter } from '../../runtime/server/index.js';
import { conversions } from '../../strategies/conversions.js';
import { strategies } from '../../strategies/index.js';
import type { ConvertFlags } from '../commands/convert.js';
import type { Ending } from '../exit-codes.js';
import { loadModules } from '../serve/load-modules.js';
import { convertDocuments } from './convert-documents.js';
import { printObjects } from './print-objects.js';
import { readDocuments } from './read-documents.js';

/** Converts what a file holds. Objects go to standard output, all or none of them; mistakes to standard error. */
export async function runConvert(file: string, flags: ConvertFlags): Promise<Ending> {
  const naming = namingOf(flags.naming);
  if (!naming) return complain([`--naming ${flags.naming} is unknown; say platform or kubernetes`], 'failed');
  const bytes = readInput(file);
  if (typeof bytes === 'string') return complain([bytes], 'failed');
  const name = file === '-' ? 'standard input' : file;
  const read = readDocuments(name, bytes);
  if (!read.ok) return complain(read.problems, 'refused');
  const modules = await loadModules(flags.schemas);
  if (!modules.ok) return complain([modules.failure.message], 'refused');
  const convert = defineConverter({ modules: modules.value, naming, strategies: strategies(naming), conversions });
  const converted = convertDocuments(name, read.documents, convert, flags.outputVersion);
  for (const warning of converted.warnings) console.error(`kindforge: ${warning}`);
  if (converted.problems.length > 0) return complain(converted.problems, 'refused');
  process.stdout.write(printObjects(converted.documents, flags.output === 'json' ? 'json' : 'yaml'));
  return 'done';
}

/** The bytes of a file, or why there are none. */
function readInput(file: string): Uint8Array | string {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function complain(messages: readonly string[], ending: Ending): Ending {
  for (const message of messages) console.error(`kindforge: ${message}`);
  return ending;
}
