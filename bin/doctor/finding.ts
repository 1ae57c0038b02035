/** One result of a check of `kindforge doctor`. */
import type { Emitter } from '../../generator/index.js';
import { NoServer } from '../objects/failure.js';
import { findKubeconfig, type Surroundings, type Target, targetOf } from '../objects/target.js';

/** `warning`: it still works, perhaps not for long or not fully. `problem`: something does not work. */
export type Level = 'ok' | 'warning' | 'problem';

export interface Finding {
  readonly level: Level;
  /** The fact, and the file, port or server that it is about. */
  readonly message: string;
  /** The advice; absent if there is nothing to do. */
  readonly advice?: string;
}

/** The things to check. Paths are relative to the working directory. */
export interface Subject {
  /** The configuration, its folder, or `none`. If absent, the check looks for it from here upward. */
  readonly project?: string;
  readonly schemas: string;
  readonly out: string;
  /** Emitters of the project. They write into `out`, too. */
  readonly emitters?: readonly Emitter[];
  /** Folder of the data of an LMDB store. */
  readonly data: string;
  /** Ports that a server will listen on. */
  readonly ports: readonly number[];
  readonly kubeconfig?: string;
  readonly server?: string;
}

/** A check. It returns no finding if there is nothing to check. */
export interface Check {
  /** As in `node`; stable, for programs. */
  readonly name: string;
  readonly run: (subject: Subject) => Promise<readonly Finding[]> | readonly Finding[];
}

export const ok = (message: string): Finding => ({ level: 'ok', message });
export const warning = (message: string, advice: string): Finding => ({ level: 'warning', message, advice });
export const problem = (message: string, advice: string): Finding => ({ level: 'problem', message, advice });

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const here = (): Surroundings => ({ folder: process.cwd(), environment: process.env });

/** Finds the kubeconfig; returns `undefined` if there is none, or if a flag gives the server's address. */
export function kubeconfigOf({ kubeconfig, server }: Subject): { readonly path?: string } | undefined {
  if (server !== undefined) return undefined;
  return kubeconfig === undefined ? findKubeconfig(here()) : { path: kubeconfig };
}

/** Finds the server, or the reason why it cannot be asked; returns `undefined` if no server is known. */
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
