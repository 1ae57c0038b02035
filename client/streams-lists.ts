/** Learns whether a server sends the state of a collection in a watch, so that nobody has to be refused to find out. */
import { type Requester, requestObject } from './requests.js';

/** The release of Kubernetes from which on servers do so unless told otherwise. */
const firstMinor = 34;

const known = new WeakMap<Requester, Promise<boolean>>();

/** Asks for the version of the server, once for each client. Resolves to false if that cannot be read. */
export function streamsLists(requester: Requester): Promise<boolean> {
  const asked =
    known.get(requester) ??
    requestObject<Version>(requester, { method: 'GET', path: '/version' }).then(isStreaming, () => {
      // The server may just not be there yet.
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

/** Kindforge names the gate in its version. */
function isStreaming({ minor = '', gitVersion = '' }: Version): boolean {
  if (gitVersion.includes('+kindforge.')) return gitVersion.endsWith('.WatchList');
  return Number.parseInt(minor, 10) >= firstMinor;
}
