/** Writes the programs that test suites start into a folder. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ending } from '../exit-codes.js';
import { entryPoints, mark } from './entry-points.js';

/** Where they go, and which controllers run behind them. */
export interface WriteOptions {
  readonly folder: string;
  readonly controllers: string;
}

/** The folder of the build that this is part of. */
const build = fileURLToPath(new URL('.', import.meta.url));

/** Prints how to use them. Programs that others have put there stay as they are. */
export function writeEntryPoints({ folder, controllers }: WriteOptions): Ending {
  const place = resolve(folder);
  const parts = {
    node: process.execPath,
    command: join(build, 'kindforge.cjs'),
    etcd: join(build, 'etcd.cjs'),
    controllers,
  };
  if (!existsSync(parts.command)) return fail('this is no build; npm run build makes one');
  const texts = entryPoints(parts);
  const foreign = [...texts.keys()].map((name) => join(place, name)).find(isForeign);
  if (foreign !== undefined) return fail(`${foreign} is there, and is not of Kindforge; choose another folder`);
  try {
    mkdirSync(place, { recursive: true });
    for (const [name, text] of texts) {
      // A program that runs is not written to.
      rmSync(join(place, name), { force: true });
      writeFileSync(join(place, name), text, { mode: 0o755 });
    }
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  process.stdout.write(
    `${[...texts.keys()].join(', ')} are in ${place}\n\n  KUBEBUILDER_ASSETS=${place} go test ./...\n`,
  );
  return 'done';
}

const isForeign = (path: string): boolean =>
  existsSync(path) && !readFileSync(path).subarray(0, 200).toString('latin1').includes(`\n${mark}`);

function fail(problem: string): Ending {
  console.error(`kindforge: ${problem}`);
  return 'failed';
}
