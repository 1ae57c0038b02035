/** Versions, field errors and durations, for the readers of files about authentication and authorization. */

import type { configurationSchema } from '../../plugins/kit.js';
import type { ConfigurationPath, FieldError, RefuseConfiguration } from '../../runtime/contract/index.js';
import type { Release } from '../../runtime/objects/release.js';
import { parseDuration } from '../../runtime/objects/scan/duration.js';

/** A configuration, or all mistakes in its file, each with its place. */
export type AccessFileResult<T> =
  | { readonly ok: true; readonly configuration: T /** The file as it is. */; readonly text: string }
  | { readonly ok: false; readonly problems: readonly string[]; readonly text: string };

/** The release and the gates. They decide which versions and fields a file may have. */
export interface AccessFileOptions {
  readonly release: Release;
  readonly featureEnabled: (gate: string) => boolean;
}

/** Returns the names of the versions that a release reads, the newest first. */
export const accessVersions = (
  introduced: Readonly<Record<'v1' | 'v1beta1' | 'v1alpha1', string>>,
  release: Release,
): readonly string[] =>
  Object.entries(introduced).flatMap(([version, since]) =>
    release.has({ introduced: since }, 'machinery') ? [`apiserver.config.platform.io/${version}`] : [],
  );

/** Reports a field error at a place, in the reference's words. */
export type RefuseField = (path: ConfigurationPath, error: FieldError) => void;

export const fieldRefuser =
  (refuse: RefuseConfiguration): RefuseField =>
  (path, { message, later }) =>
    refuse(path, later ?? message);

/** Reads a duration, in nanoseconds. */
export const duration: configurationSchema.Schema<bigint> = (value, path, refuse) => {
  const read = typeof value === 'string' ? parseDuration(value) : undefined;
  if (read !== undefined) return { value: read };
  refuse(path, `${JSON.stringify(value) ?? 'this'} is not a duration: a number and a unit, such as 30s`);
  return undefined;
};

/** The type of values that a schema reads. */
export type Given<S> = S extends configurationSchema.Schema<infer T> ? T : never;
