/** Kubeconfigs of the users of a test server, made of that of its administrator. */

interface Kubeconfig {
  readonly clusters: readonly { readonly name: string; readonly cluster: { readonly server: string } }[];
  readonly contexts: readonly { readonly context: { readonly user: string } }[];
}

/** kubectl sends tokens over TLS only; over plain HTTP it sends what stands in the address. */
export function kubeconfigFor(administrators: string, user: string, token: string): string {
  const config: Kubeconfig = JSON.parse(administrators);
  const text = JSON.stringify(
    {
      ...config,
      clusters: config.clusters.map(({ name, cluster }) => ({
        name,
        cluster: { ...cluster, server: withToken(cluster.server, token) },
      })),
      users: [{ name: user, user: { token } }],
      contexts: config.contexts.map(({ context, ...rest }) => ({ ...rest, context: { ...context, user } })),
    },
    undefined,
    2,
  );
  return `${text}\n`;
}

function withToken(server: string, token: string): string {
  const url = new URL(server);
  if (url.protocol === 'http:') {
    url.username = 'user';
    url.password = token;
  }
  return url.href.replace(/\/$/, '');
}
