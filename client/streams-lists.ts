/** Finds out by a server's version whether it sends the state of a collection in a watch. */
import { type Requester, requestObject } from './requests.js';

/** The first release of Kubernetes in which servers do so by default. */
const firstMinor = 34;

const known = new WeakMap<Requester, Promise<boolean>>();

/** Asks for the server's version, once for each client. Resolves to false if the version cannot be read. */
export function streamsLists(requester: Requester): Promise<boolean> {
  const asked =
    known.get(requester) ??
    requestObject<Version>(requester, { method: 'GET', path: '/version' }).then(isStreaming, () => {
      // The server may not have started.
      known.delete(requester);
      return false;
    });
  known.set(requester, asked);
  return asked;
}

interface Version {
  readonly minor?: string;
  readonly gitVersion?: string;
}

/** Reads the gate in Kindforge's version, or the release of Kubernetes. */
function isStreaming({ minor = '', gitVersion = '' }: Version): boolean {
  if (gitVersion.includes('+kindforge.')) return gitVersion.endsWith('.WatchList');
  return Number.parseInt(minor, 10) >= firstMinor;
}
