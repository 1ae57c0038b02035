/** Finds the kubeconfig of the user where none is named. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The named file, or `$KUBECONFIG`, or `~/.kube/config`. */
export const kubeconfigPath = (named?: string): string =>
  named ?? process.env.KUBECONFIG ?? join(homedir(), '.kube', 'config');
