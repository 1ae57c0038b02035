/** What `kindforge serve` prints when it is ready: where it listens and how to reach it. */
import type { Running } from './run-serve.js';
import type { Settings } from './settings.js';

/** The text, with one command for each way of use. */
export function banner(settings: Settings, { listening, storage }: Running, resources: number): string {
  const { naming, tls } = settings;
  const { url } = listening;
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
  credentials   ${credentials(settings)}

  curl          ${curl}
  kubectl       ${kubectl}
  SDK           createClient({ baseUrl: '${url}' })

  Stop with Ctrl+C.

`;
}

function credentials({ tokenAuthFile, anonymous }: Settings): string {
  if (anonymous === 'administrator') return 'not needed: everyone on this machine is admin';
  return tokenAuthFile === undefined ? 'tokens of service accounts' : `bearer tokens of ${tokenAuthFile}`;
}
