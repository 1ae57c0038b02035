/** Reads the flags of `kindforge access`. */
import type { AskedWords } from '../../server/access/answer-questions.js';
import type { ServerChoice } from '../../server/access/connect.js';
import { findKubeconfig, type Surroundings } from '../objects/target.js';

export interface ServerFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly server?: string;
  readonly namespace?: string;
}

export interface AccessFlags extends ServerFlags {
  readonly output?: string;
  readonly subresource?: string;
  readonly allNamespaces?: boolean;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly resources?: string;
  readonly verbs?: string;
  readonly system?: boolean;
}

export interface RecordFlags extends ServerFlags {
  readonly name: string;
  readonly outputFile?: string;
}

/** Chooses the server. Without --kubeconfig and --server, finds the kubeconfig as other commands do. */
export function serverOf(
  { kubeconfig, context, server }: ServerFlags,
  surroundings: Surroundings = { folder: process.cwd(), environment: process.env },
): ServerChoice {
  const path = kubeconfig ?? (server === undefined ? findKubeconfig(surroundings)?.path : undefined);
  return {
    ...(path === undefined ? {} : { kubeconfig: path }),
    ...(context === undefined ? {} : { context }),
    ...(server === undefined ? {} : { server }),
  };
}

export const wordsOf = (
  verb: string,
  resource: string,
  name: string | undefined,
  { subresource, namespace, allNamespaces = false }: AccessFlags,
): AskedWords => ({ verb, resource, name, subresource, namespace, allNamespaces });

/** Splits names at commas; `undefined` if the flag is not given. */
export const listOf = (text: string | undefined): readonly string[] | undefined =>
  text?.split(',').flatMap((name) => name.trim() || []);
