/** What `kindforge serve` prints when it is ready: where it listens and how to reach it. */
import type { Running } from './run-serve.js';
import type { Settings } from './settings.js';

/** The text, with one command for each way of use. */
export function banner(
  { naming, tokenAuthFile, tls }: Settings,
  { listening, storage }: Running,
  resources: number,
): string {
  const { url } = listening;
  const who =
    tokenAuthFile === undefined ? 'not needed: everyone on this machine is admin' : `bearer tokens of ${tokenAuthFile}`;
  // The server's certificate does for its authority's: whoever trusts it trusts the server.
  const curl = tls ? `curl --cacert ${tls.certFile} ${url}/apis` : `curl ${url}/apis`;
  const server = tls ? `--server ${url} --certificate-authority ${tls.certFile}` : `--server ${url}`;
  const kubectl =
    naming.id === 'kubernetes'
      ? `kubectl ${server} api-resources`
      : `kubectl ${server} get namespaces   (for every command: --naming kubernetes)`;
  return `
  Kindforge serves ${resources} resources, ${naming.id} names

  listening on  ${url}
  data          ${storage.place}
  credentials   ${who}

  curl          ${curl}
  kubectl       ${kubectl}
  SDK           createClient({ baseUrl: '${url}' })

  Stop with Ctrl+C.

`;
}
