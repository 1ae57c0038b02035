/**
 * Loads the definitions of a test server: values and folders. A process reads a folder once while it does not change.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ResourceModule } from '../runtime/contract/index.js';
import { OptionError } from '../server/index.js';
import { type LoadedModules, loadModules, modulesOfTexts } from '../server/load-definitions.js';

/** A folder of definitions, or a definition as a value: a `ResourceDefinition` or `CustomResourceDefinition`. */
export type Definition = string | object;

/** The loaded folders. All servers of the process share them. */
const folders = new Map<string, Promise<LoadedModules>>();

/** Loads definitions. Rejects with a `DefinitionsError` if they have mistakes. */
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
