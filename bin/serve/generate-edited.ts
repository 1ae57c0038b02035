/** Runs `kindforge dev` as the process that generates code, after each change of definitions. */
import type { Command } from 'commander';
import { messageFor } from '../flags/project.js';
import { readGiven } from '../flags/serve-command.js';
import { editDefinitions } from '../project/dev/definitions.js';
import { isToServer } from '../project/dev/messages.js';
import { foldersOf, supervised } from './serve-edited.js';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Generates until a message asks it to stop. Does not report mistakes: the process that serves does. */
export async function generateEdited(command: Command): Promise<void> {
  let generate = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    supervised().onMessage((message) => {
      if (message === undefined || (isToServer(message) && message.type === 'stop')) resolve();
      else if (isToServer(message) && message.type === 'definitions') generate();
    });
  });
  const given = await readGiven(command).catch(() => undefined);
  const folders = given && foldersOf(given);
  const definitions = folders && editDefinitions(folders, print);
  let busy = Promise.resolve();
  generate = () => {
    busy = busy.then(() => definitions?.generate()).catch((error: unknown) => print(`kindforge: ${messageFor(error)}`));
  };
  generate();
  await stopped;
  await busy;
  if (process.connected) process.disconnect();
}
