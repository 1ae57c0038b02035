/** The generated kinds, and which of them every start needs. */
import { readdirSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const generated = fileURLToPath(new URL('../../generated', import.meta.url));

/** Kinds that each start writes objects of. */
const early = new Set([
  'core/v1/configmaps',
  'core/v1/endpoints',
  'core/v1/namespaces',
  'core/v1/services',
  'discovery.platform.io/v1/endpointslices',
  'flowcontrol.apiserver.platform.io/v1beta3/flowschemas',
  'flowcontrol.apiserver.platform.io/v1beta3/prioritylevelconfigurations',
  'rbac.authorization.platform.io/v1/clusterrolebindings',
  'rbac.authorization.platform.io/v1/clusterroles',
  'rbac.authorization.platform.io/v1/rolebindings',
  'rbac.authorization.platform.io/v1/roles',
  'scheduling.platform.io/v1/priorityclasses',
]);

/** Whether each start writes objects of a kind, by its path. */
export const isEarly = (kind: string): boolean => early.has(kind);

/** The path of the kind that a file is of, as in `core/v1/pods`. */
export const kindOf = (file: string): string => relative(generated, dirname(file));

/** The files of this name, of kinds and of types that they share. */
export const generatedFiles = (name: string): readonly string[] =>
  readdirSync(generated, { recursive: true, encoding: 'utf8' })
    .filter((file) => basename(file) === name)
    .map((file) => resolve(generated, file));
