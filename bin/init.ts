/** The job of `kindforge init`: asks for settings that no flag gives, writes the project, and prints the next steps. */
import { statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type NamingId, namingOf } from '../runtime/objects/names/naming.js';
import { readProductVersion } from '../server/kinds.js';
import type { Ending } from './exit-codes.js';
import { nameProblem, type ProjectNames, usualNames } from './project/new-sources.js';
import { writeProject } from './project/write-project.js';

export interface InitFlags {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly naming?: NamingId;
  readonly package?: string;
  readonly yes?: boolean;
}

/** Asks only on a terminal. Throws the errors of the file system. */
export async function runInit(dir: string | undefined, flags: InitFlags): Promise<Ending> {
  const asks = flags.yes !== true && process.stdin.isTTY && process.stdout.isTTY;
  const { folder, names } = asks ? await ask(dir, flags) : chosen(dir ?? '.', flags);
  const problem = nameProblem(names);
  if (problem !== undefined) {
    console.error(`kindforge: ${problem}`);
    return 'refused';
  }
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    console.error(`kindforge: ${folder} is a file: must be a folder, which is created if it does not exist`);
    return 'refused';
  }
  const written = writeProject(folder, names, { kindforge: flags.package ?? `^${readProductVersion()}` });
  if (!written.ok) {
    const places = written.existing.map((path) => `\n  ${join(folder, path)}`).join('');
    console.error(`kindforge: these files exist already, and are not overwritten:${places}`);
    return 'refused';
  }
  const place = relative('', resolve(folder)) || '.';
  for (const file of written.files) console.log(join(place, file));
  console.log(`\nGo on with:\n${place === '.' ? '' : `  cd ${inShell(place)}\n`}  npm install\n  npm run dev`);
  return 'done';
}

/** Quotes a path for a shell. */
const inShell = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

interface Chosen {
  readonly folder: string;
  readonly names: ProjectNames;
}

function chosen(folder: string, flags: InitFlags): Chosen {
  const usual = usualNames(flags.name ?? basename(resolve(folder)));
  const { name: project = usual.project, group = usual.group, kind = usual.kind, naming = usual.naming } = flags;
  return { folder, names: { project, group, kind, naming } };
}

/** Asks a question. An empty answer takes the default. */
async function ask(dir: string | undefined, flags: InitFlags): Promise<Chosen> {
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  const question = async (given: string | undefined, words: string, usual: string): Promise<string> =>
    given ?? ((await lines.question(`${words} (${usual}): `)).trim() || usual);
  try {
    const folder = await question(dir, 'Folder', '.');
    const usual = chosen(folder, flags).names;
    const group = await question(flags.group, 'API group', usual.group);
    const kind = await question(flags.kind, 'First kind', usual.kind);
    const naming = await askNaming((words, byDefault) => question(flags.naming, words, byDefault), usual.naming);
    return { folder, names: { project: usual.project, group, kind, naming } };
  } finally {
    lines.close();
  }
}

/** Asks until the answer is a valid naming. */
async function askNaming(
  question: (words: string, usual: string) => Promise<string>,
  usual: NamingId,
): Promise<NamingId> {
  for (;;) {
    const answer = await question('Names of API groups: kubernetes, which kubectl needs, or platform', usual);
    const naming = namingOf(answer);
    if (naming) return naming.id;
    console.log(`${answer}: must be kubernetes or platform`);
  }
}
