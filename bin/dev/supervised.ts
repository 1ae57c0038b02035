/** The parts that the processes of `kindforge dev` share: the way to the one that watches, and the folders of the project. */
import { statSync } from 'node:fs';
import { fromHere } from '../flags/project.js';
import type { GivenServer } from '../flags/serve-command.js';
import type { EditedFolders } from '../project/dev/definitions.js';
import type { Supervised } from '../project/dev/run-server.js';

/** The way to the process that watches. Signals are for that one to hear: it tells the others when to stop. */
export function supervised(): Supervised {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  return {
    tell: (message) => void process.send?.(message),
    onMessage(hear) {
      process.on('message', hear);
      process.once('disconnect', () => hear(undefined));
    },
  };
}

/** The folder of definitions, and where their code goes; `undefined` where there are no definitions. */
export function foldersOf({ flags, project }: GivenServer): EditedFolders | undefined {
  const usual = statSync('schemas', { throwIfNoEntry: false })?.isDirectory() ? 'schemas' : undefined;
  const schemas = flags.schemas ?? usual;
  if (schemas === undefined) return undefined;
  return { schemas, out: fromHere(project?.out ?? 'generated'), emitters: project?.emitters ?? [] };
}
