/** Loads the definitions of a test server: folders once for a process as long as they stay the same, and objects. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ResourceModule } from '../runtime/contract/index.js';
import { OptionError } from '../server/index.js';
import { type LoadedModules, loadModules, modulesOfTexts } from '../server/load-definitions.js';

/** A folder of definitions, or a definition as a value: a `ResourceDefinition` or `CustomResourceDefinition`. */
export type Definition = string | object;

/** Readings of folders, which are shared by all servers of the process. */
const folders = new Map<string, Promise<LoadedModules>>();

/** Rejects with a `DefinitionsError` where definitions have mistakes. */
export async function modulesOfDefinitions(definitions: readonly Definition[]): Promise<readonly ResourceModule[]> {
  const paths = definitions.filter((one) => typeof one === 'string');
  const values = definitions.filter((one) => typeof one === 'object');
  const read = await Promise.all(paths.map(modulesOfFolder));
  const texts = values.map((value, at) => ({
    path: `definition-${at + 1}.json`,
    text: JSON.stringify(value, undefined, 2),
  }));
  return [...read.flat(), ...(texts.length === 0 ? [] : await modulesOfTexts(texts))];
}

async function modulesOfFolder(path: string): Promise<readonly ResourceModule[]> {
  const folder = resolve(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new OptionError((nameOf) => `${nameOf('schemas')} ${path} is not a folder`);
  }
  const reading = readAgain(folder, folders.get(folder));
  folders.set(folder, reading);
  return (await reading).modules;
}

async function readAgain(folder: string, earlier: Promise<LoadedModules> | undefined): Promise<LoadedModules> {
  return loadModules(folder, await earlier?.catch(() => undefined));
}
