/** Reads the configuration of a project as flags of `kindforge serve`. */
import { isAbsolute, join } from 'node:path';
import type { Project } from '../project/index.js';
import type { ProjectSettings } from './fill-in.js';
import { fromHere } from './project.js';
import { storage } from './serve/storage.js';

const [usualStorage] = storage.flags;

/** The settings by the names of flags. Data that no setting places lies in the folder of the project. */
export function projectSettings({ file, directory, schemas, naming, serve }: Project): ProjectSettings {
  return {
    file: fromHere(file),
    settings: {
      [usualStorage.name]: inFolder(usualStorage.byDefault, directory),
      ...serve,
      naming,
      ...(schemas === undefined ? {} : { schemas: fromHere(schemas) }),
    },
  };
}

/** A store of the form `lmdb:<folder>`. */
function inFolder(store: string, directory: string): string {
  const [, folder = ''] = /^lmdb:(.*)$/.exec(store) ?? [];
  return isAbsolute(folder) ? store : `lmdb:${fromHere(join(directory, folder))}`;
}
