/** The help of etcd's stand-in, and the release that it reports. */

/** Suites look in it for flags that they may use. */
export const etcdHelp = `A stand-in for etcd, for test suites. It stores nothing: kube-apiserver keeps the objects.

Usage:
  etcd [flags]

Flags:
  --listen-client-urls 'http://localhost:2379'  addresses to listen on, with commas between
  --cert-file ''                                certificate for https URLs
  --key-file ''                                 key of that certificate
  --version                                     prints a version
  --help                                        prints this

All other flags of etcd are accepted and have no effect.
`;

export const etcdVersion = 'etcd Version: 3.5.0\n';
