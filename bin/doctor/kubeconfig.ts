/** Finds the server that checks are about, as other commands find it. */
import { findKubeconfig, type Surroundings } from '../objects/find-kubeconfig.js';
import { NoServer } from '../objects/refusal.js';
import { type Target, targetOf } from '../objects/target.js';
import { messageOf, type Subject } from './finding.js';

const here = (): Surroundings => ({ folder: process.cwd(), environment: process.env });

/** The kubeconfig; `undefined` where there is none, or where a server is named by its address. */
export function kubeconfigOf({ kubeconfig, server }: Subject): { readonly path?: string } | undefined {
  if (server !== undefined) return undefined;
  return kubeconfig === undefined ? findKubeconfig(here()) : { path: kubeconfig };
}

/** The server, or why it cannot be asked; `undefined` where none is known. */
export function serverOf(subject: Subject): Target | { readonly problem: string } | undefined {
  const { kubeconfig, server } = subject;
  if (server === undefined && kubeconfigOf(subject) === undefined) return undefined;
  try {
    return targetOf({
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
      ...(server === undefined ? {} : { server }),
    });
  } catch (error) {
    if (error instanceof NoServer) return { problem: messageOf(error) };
    throw error;
  }
}
