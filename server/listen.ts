/** Listens, and says how the server is reached. */
import type { ApiServer, Listening, ServerCertificate } from '../runtime/server/index.js';
import { type CredentialsFolder, writeCredentials } from './credentials-folder.js';
import { explaining, explainListening } from './explain.js';
import { printKubeconfig } from './kubeconfig.js';
import type { HttpOption, StartOptions } from './options.js';
import type { ListeningServer } from './running-server.js';

/** A server that listens. */
export interface StartedListening {
  /** How it is reached. */
  readonly told: Pick<ListeningServer, 'url' | 'address' | 'kubeconfig' | 'credentials'>;
  /** As `Listening` has it; removes temporary credentials, too. */
  close(settle: () => Promise<void>): Promise<void>;
}

export interface ListenParts {
  readonly http: HttpOption;
  readonly tls: ServerCertificate | undefined;
  readonly credentials: StartOptions['credentials'];
  /** The administrator's; absent where there is none. */
  readonly token: string | undefined;
}

/** Rejects where the address cannot be had, or credentials cannot be written; it does not listen then. */
export async function startListening(server: ApiServer, parts: ListenParts): Promise<StartedListening> {
  const { host = '127.0.0.1', port = 0 } = parts.http;
  const { tls, token } = parts;
  const listening = await explaining(
    () => server.listen({ host, port, ...(tls ? { tls } : {}) }),
    (error, nameOf) => explainListening(error, host, port, nameOf),
  );
  const { url } = listening;
  const kubeconfig = printKubeconfig({ url, token, certificate: tls?.cert });
  const credentials = await giveCredentials(parts, kubeconfig, listening);
  return {
    told: {
      url,
      address: { host, port: Number(new URL(url).port) },
      kubeconfig,
      ...(credentials && { credentials }),
    },
    async close(settle) {
      await listening.close(settle);
      credentials?.dispose();
    },
  };
}

async function giveCredentials(
  { credentials, token }: ListenParts,
  kubeconfig: string,
  listening: Listening,
): Promise<CredentialsFolder | undefined> {
  if (!credentials || token === undefined) return undefined;
  try {
    return writeCredentials(credentials.folder, { kubeconfig, token });
  } catch (error) {
    await listening.close(() => Promise.resolve());
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the administrator's credentials cannot be written: ${reason}`, { cause: error });
  }
}
