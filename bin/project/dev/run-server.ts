/** Serves a project while users edit it. The supervisor in another process controls it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceModule } from '../../../runtime/contract/index.js';
import type { ListeningServer } from '../../../server/running-server.js';
import type { EditedDefinitions, Print } from './definitions.js';
import { type FromServer, isToServer, type Ports, type Watched } from './messages.js';

/** Milliseconds before the second look for a missing resource: editors empty files before they write them. */
const lookAgainMs = 200;

/** The channel to the supervisor, which forked this process. */
export interface Supervised {
  tell(message: FromServer): void;
  /** Calls `hear` with each message, and with `undefined` when the supervisor is gone. */
  onMessage(hear: (message: unknown) => void): void;
}

export interface RunServerOptions {
  readonly watched: Watched;
  /** Absent if the project has no folder of definitions. */
  readonly definitions?: EditedDefinitions;
  /** Starts the server. Ports that it may choose are the ports of the server before. */
  readonly start: (modules: readonly ResourceModule[], ports: Ports) => Promise<ListeningServer>;
  /** Called with the server; `first` if it is the first server of the command. */
  readonly onServing: (server: ListeningServer, first: boolean) => Promise<void>;
  /** Called with thrown errors. */
  readonly onError: (error: unknown) => void;
  readonly print: Print;
}

/** Runs the server. Resolves when it has stopped, or could not start. */
export async function runServer(supervisor: Supervised, options: RunServerOptions): Promise<void> {
  const { watched, definitions, print, onError } = options;
  const modules = definitions ? await definitions.read() : [];
  if (modules === undefined) return supervisor.tell({ type: 'failed', watched, cause: 'definitions' });
  let server: ListeningServer | undefined;
  let busy = Promise.resolve();
  const ended = new Promise<void>((resolve) => {
    const serve = async (ports: Ports, first: boolean): Promise<void> => {
      try {
        server = await options.start(modules, ports);
      } catch (error) {
        onError(error);
        supervisor.tell({ type: 'failed', watched, cause: 'code' });
        return resolve();
      }
      supervisor.tell({ type: 'serving', ports: portsOf(server) });
      await options.onServing(server, first).catch(onError);
    };
    const take = async (): Promise<void> => {
      if (server && definitions) await replace(server, definitions, supervisor, print);
    };
    const inTurn = (act: () => Promise<void>): void => {
      busy = busy.then(act).catch(onError);
    };
    supervisor.onMessage((message) => {
      if (message === undefined) inTurn(async () => resolve());
      else if (!isToServer(message)) return;
      else if (message.type === 'serve') inTurn(() => serve(message.ports, message.first));
      else if (message.type === 'definitions') inTurn(take);
      else inTurn(async () => resolve());
    });
  });
  supervisor.tell({ type: 'loaded', watched });
  await ended;
  await server?.stop();
}

async function replace(
  server: ListeningServer,
  definitions: EditedDefinitions,
  supervisor: Supervised,
  print: Print,
): Promise<void> {
  const start = performance.now();
  const modules = await definitions.read();
  if (modules === undefined) return;
  let replaced = server.replaceDefinitions(modules);
  if (!replaced.done) {
    await sleep(lookAgainMs);
    const later = await definitions.read();
    if (later === undefined) return;
    replaced = server.replaceDefinitions(later);
  }
  if (!replaced.done) return supervisor.tell({ type: 'restart', because: replaced.because });
  print(`definitions replaced; ${Math.round(performance.now() - start)} ms`);
  supervisor.tell({ type: 'replaced' });
}

function portsOf({ url, plainUrl }: ListeningServer): Ports {
  const portOf = (address: string): number => Number(new URL(address).port);
  return {
    ...(url.startsWith('https:') ? { secure: portOf(url) } : {}),
    ...(plainUrl === undefined ? {} : { http: portOf(plainUrl) }),
  };
}
